package io.tidemark.connect.hdfs;

import java.io.IOException;
import java.util.Base64;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.security.token.TokenIdentifier;

/** A token by which a service accepts another user, as name and password of DIGEST-MD5. */
public record DelegationToken(String identifier, String password) {

  /** Parses a token in the form in which services return it. */
  public static DelegationToken parse(String text) throws IOException {
    Token<TokenIdentifier> token = new Token<>();
    try {
      token.decodeFromUrlString(text);
    } catch (RuntimeException e) {
      throw new IOException("the service returned a malformed token", e);
    }
    Base64.Encoder encoder = Base64.getEncoder();
    return new DelegationToken(
        encoder.encodeToString(token.getIdentifier()), encoder.encodeToString(token.getPassword()));
  }

  @Override
  public String toString() {
    return "DelegationToken[hidden]";
  }
}
