package io.tidemark.stack.command;

import io.tidemark.stack.LocalStack;
import io.tidemark.stack.security.Certificates;
import io.tidemark.stack.security.Realm;

/**
 * The output of {@code ./stack up}: the addresses of all services, and how to deploy a connector.
 */
final class Addresses {

  private Addresses() {}

  static String text(LocalStack stack, StackOptions options) {
    StringBuilder text =
        new StringBuilder(
            """
              Kafka          %s
              Connect        %s
              Registry       %s
              HDFS           %s   (web: %s)
              Metastore      %s
              HiveServer2    %s
            """
                .formatted(
                    stack.kafka().bootstrapServers(),
                    stack.connect().worker(0).url(),
                    stack.registry().url(),
                    stack.hdfs().uri(),
                    stack.hdfs().webUrl(),
                    stack.metastore().uris(),
                    stack.hive().jdbcUrl()));
    if (options.secure()) {
      text.append(security(stack));
    }
    if (options.secure() || options.highlyAvailable()) {
      text.append("  Hadoop         %s%n".formatted(stack.hdfs().clientConfiguration()));
    }
    options
        .debugPort()
        .ifPresent(
            port ->
                text.append(
                    "  Debugger       127.0.0.1:%d   (try: jdb -attach 127.0.0.1:%d)%n"
                        .formatted(port, port)));
    text.append("  Logs           %s%n%n".formatted(stack.logs()));
    text.append(connector(stack, options.paths()));
    return options.secure() ? text.append(login(stack)).toString() : text.toString();
  }

  private static String security(LocalStack stack) {
    return """
      KMS            %s
      Kerberos       %s   (realm: %s)
      Keytabs        %s
      Trust store    %s   (password: %s)
    """
        .formatted(
            stack.kms().uri(),
            stack.kdc().realm().krb5Conf(),
            Realm.NAME,
            stack.kdc().realm().keytabs(),
            stack.security().certificates().trustStore(),
            Certificates.PASSWORD);
  }

  private static String login(LocalStack stack) {
    return """

    To list the files with Hadoop's own client:

      KRB5PRINCIPAL=%s KRB5KEYTAB=%s HADOOP_CONF_DIR=%s \\
        HADOOP_OPTS=%s hdfs dfs -ls /
    """
        .formatted(
            Realm.principal("alice"),
            stack.kdc().realm().keytab("alice"),
            stack.hdfs().clientConfiguration(),
            stack.kdc().realm().jvmOption());
  }

  private static String connector(LocalStack stack, StackPaths paths) {
    String connect = stack.connect().worker(0).url();
    return """
    The topic stock-quotes exists. To deploy config/stock-quotes.json with these addresses:

      curl -sS -X PUT -H 'Content-Type: application/json' --data '@%s' \\
        %s/connectors/stock-quotes/config

    To see the status of the connector:

      curl -sS %s/connectors/stock-quotes/status
    """
        .formatted(paths.connectorConfig(), connect, connect);
  }
}
