package io.tidemark.stack;

import java.util.List;

/** Configures the logging of the servers: INFO and above, to the standard output. */
final class LoggingConfig {

  private static final String LOG4J2 =
      """
      rootLogger.level = info
      rootLogger.appenderRef.console.ref = console
      appender.console.type = Console
      appender.console.name = console
      appender.console.layout.type = PatternLayout
      appender.console.layout.pattern = %d{ISO8601} %-5p [%t] %c{2}: %X{connector.context}%m%n
      # A line for each request, and each time a client starts or ends.
      logger.rest.name = org.apache.kafka.connect.runtime.rest.RestServer
      logger.rest.level = warn
      logger.metrics.name = org.apache.kafka.common.metrics.Metrics
      logger.metrics.level = warn
      """;

  private static final String LOG4J1 =
      """
      log4j.rootLogger=INFO, console
      log4j.appender.console=org.apache.log4j.ConsoleAppender
      log4j.appender.console.layout=org.apache.log4j.PatternLayout
      log4j.appender.console.layout.ConversionPattern=%d{ISO8601} %-5p [%t] %c{2}: %X{connector.context}%m%n
      # A line for each request, and each time a client starts or ends.
      log4j.logger.org.apache.kafka.connect.runtime.rest.RestServer=WARN
      log4j.logger.org.apache.kafka.common.metrics.Metrics=WARN
      """;

  private LoggingConfig() {}

  /** Returns the JVM options of a server that logs with Log4j 1 or 2, depending on its release. */
  static List<String> either(StackFiles files, String server) {
    return List.of(log4j1(files, server), log4j2(files, server));
  }

  /** Writes the configuration of a server that logs with Log4j 2, and returns the JVM's option. */
  static String log4j2(StackFiles files, String server) {
    return "-Dlog4j2.configurationFile=" + files.write(server, "log4j2.properties", LOG4J2);
  }

  /** Writes the configuration of a server that logs with Log4j 1, and returns the JVM's option. */
  static String log4j1(StackFiles files, String server) {
    return "-Dlog4j.configuration=" + files.write(server, "log4j.properties", LOG4J1).toUri();
  }
}
