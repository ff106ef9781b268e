package io.tidemark.stack;

import io.tidemark.stack.security.Certificates;
import io.tidemark.stack.security.Realm;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** What a connector needs in a secured stack, in which it logs in as the workers' principal. */
public final class SecuredConnector {

  /** The directories and modes of docs/OPERATIONS.md. */
  private static final Map<String, String> MODES =
      Map.of("/topics", "750", "/logs", "700", "/ledger", "755");

  private SecuredConnector() {}

  /**
   * Creates the connector's directories, which HiveServer2 may read. Does nothing if the stack is
   * not secured.
   */
  public static void makeDirectories(LocalStack stack) throws IOException {
    if (stack.has(Service.KDC)) {
      WebHdfs superuser = stack.hdfs().files();
      for (Map.Entry<String, String> directory : MODES.entrySet()) {
        superuser.makeDirectories(directory.getKey());
        superuser.setOwner(directory.getKey(), SecurityOptions.CONNECT, Security.HIVE_READERS);
        superuser.setPermission(directory.getKey(), directory.getValue());
      }
    }
  }

  /** Returns the settings with which a connector logs in; none if the stack is not secured. */
  public static Map<String, String> settings(LocalStack stack) {
    Map<String, String> settings = new HashMap<>();
    if (stack.has(Service.KDC)) {
      stack
          .kafka()
          .clientSettings(SecurityOptions.CONNECT)
          .forEach((key, value) -> settings.put("kafka." + key, value));
      settings.putAll(settings(stack, SecurityOptions.CONNECT));
    }
    return settings;
  }

  /** Returns the settings with which a connector logs in to HDFS and the Metastore. */
  public static Map<String, String> settings(LocalStack stack, String principal) {
    String trustStore = stack.security().certificates().trustStore().toString();
    return Map.of(
        "hadoop.conf.dir",
        stack.hdfs().clientConfiguration().toString(),
        "hdfs.authentication.kerberos",
        "true",
        "connect.hdfs.principal",
        Realm.principal(principal),
        "connect.hdfs.keytab",
        stack.kdc().realm().keytab(principal).toString(),
        "hive.metastore.kerberos.principal",
        "hive/_HOST@" + Realm.NAME,
        "hive.metastore.use.SSL",
        "true",
        "hive.metastore.truststore.path",
        trustStore,
        "hive.metastore.truststore.password",
        Certificates.PASSWORD);
  }
}
