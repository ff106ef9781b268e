package io.tidemark.stack;

import io.tidemark.stack.security.KdcKind;
import io.tidemark.stack.security.Protection;
import java.util.List;

/**
 * How a stack is secured.
 *
 * @param protection what HDFS, the Metastore and HiveServer2 require of all connections
 * @param users the principals of users. The first one is that of the Connect workers, which may act
 *     for other users.
 */
public record SecurityOptions(KdcKind kdc, Protection protection, List<String> users) {

  /** The workers' principal. */
  public static final String CONNECT = "connect";

  /** Encryption everywhere, and a KDC that every machine has. */
  public static final SecurityOptions USUAL =
      new SecurityOptions(
          KdcKind.KERBY, Protection.PRIVACY, List.of(CONNECT, "alice", "bob", "carol"));

  public SecurityOptions {
    users = List.copyOf(users);
  }

  public SecurityOptions with(KdcKind kind) {
    return new SecurityOptions(kind, protection, users);
  }

  public SecurityOptions with(Protection required) {
    return new SecurityOptions(kdc, required, users);
  }
}
