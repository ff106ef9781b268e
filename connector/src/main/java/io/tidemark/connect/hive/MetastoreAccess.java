package io.tidemark.connect.hive;

import io.tidemark.connect.hdfs.HadoopUser;
import io.tidemark.registry.security.TlsSettings;
import java.util.Optional;

/**
 * What Metastores require of their clients.
 *
 * @param user its name is sent to a Metastore without authentication, which creates directories as
 *     it
 * @param principal of the Metastores, which then authenticate by Kerberos; may have {@code _HOST}
 * @param tls empty for connections that are not encrypted
 */
public record MetastoreAccess(
    HadoopUser user, Optional<String> principal, Optional<TlsSettings> tls) {
  public static final MetastoreAccess OF_THE_PROCESS =
      new MetastoreAccess(HadoopUser.OF_THE_PROCESS, Optional.empty(), Optional.empty());
}
