package io.tidemark.stack.security;

import java.util.Locale;

/** What a secured server requires of a connection. */
public enum Protection {
  /** Both sides are known. */
  AUTHENTICATION("auth"),
  /** And nobody can change the bytes. */
  INTEGRITY("auth-int"),
  /** And nobody can read the bytes. */
  PRIVACY("auth-conf");

  private final String qop;

  Protection(String qop) {
    this.qop = qop;
  }

  /** Returns the value of Hadoop's settings. Example: {@code privacy}. */
  public String ofHadoop() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the quality of protection of SASL. Example: {@code auth-conf}. */
  public String qop() {
    return qop;
  }
}
