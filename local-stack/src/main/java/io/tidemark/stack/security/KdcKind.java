package io.tidemark.stack.security;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The programs that can be the KDC of a stack. */
public enum KdcKind {
  /**
   * Hadoop's MiniKdc with Apache Kerby, which needs a JDK alone. It forgets all keys when it stops.
   */
  KERBY,
  /**
   * MIT's, with its administration program, which Debian has in {@code krb5-admin-server}. Its
   * principals can change, and it can restart.
   */
  MIT;

  private static final List<Path> FOLDERS =
      List.of(Path.of("/usr/sbin"), Path.of("/usr/local/sbin"));

  /** Returns MIT's if this machine has it, otherwise Kerby. */
  public static KdcKind best() {
    return program("krb5kdc").isPresent() && program("kadmin.local").isPresent() ? MIT : KERBY;
  }

  /** Returns the path of a program of MIT's KDC; empty if it is not installed. */
  public static Optional<Path> program(String name) {
    return FOLDERS.stream()
        .map(folder -> folder.resolve(name))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
