package io.tidemark.connect.hdfs;

import java.util.Optional;

/**
 * The user as which a connector calls HDFS and the Metastore.
 *
 * @param keytab for a login by Kerberos; otherwise it is the user of the worker's process
 * @param proxy another user, for whom that one acts
 */
public record HadoopUser(Optional<Keytab> keytab, Optional<String> proxy) {
  public static final HadoopUser OF_THE_PROCESS =
      new HadoopUser(Optional.empty(), Optional.empty());

  /** Its name, without host and realm: that of the owner of tables. */
  public String name() {
    return proxy
        .or(() -> keytab.map(each -> each.principal().split("[/@]", -1)[0]))
        .orElseGet(() -> System.getProperty("user.name"));
  }
}
