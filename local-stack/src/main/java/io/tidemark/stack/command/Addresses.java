package io.tidemark.stack.command;

import io.tidemark.stack.LocalStack;
import java.util.OptionalInt;

/**
 * The output of {@code ./stack up}: the addresses of all services, and how to deploy a connector.
 */
final class Addresses {

  private Addresses() {}

  static String text(LocalStack stack, OptionalInt debugPort, StackPaths paths) {
    String connect = stack.connect().worker(0).url();
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
                    connect,
                    stack.registry().url(),
                    stack.hdfs().uri(),
                    stack.hdfs().webUrl(),
                    stack.metastore().uris(),
                    stack.hive().jdbcUrl()));
    debugPort.ifPresent(
        port ->
            text.append(
                "  Debugger       127.0.0.1:%d   (try: jdb -attach 127.0.0.1:%d)%n"
                    .formatted(port, port)));
    text.append(
        """
          Logs           %s

        The topic stock-quotes exists. To deploy config/stock-quotes.json with these addresses:

          curl -sS -X PUT -H 'Content-Type: application/json' --data '@%s' \\
            %s/connectors/stock-quotes/config

        To see the status of the connector:

          curl -sS %s/connectors/stock-quotes/status
        """
            .formatted(stack.logs(), paths.connectorConfig(), connect, connect));
    return text.toString();
  }
}
