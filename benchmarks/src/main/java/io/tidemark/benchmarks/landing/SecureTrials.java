package io.tidemark.benchmarks.landing;

import io.tidemark.stack.FreePorts;
import io.tidemark.stack.LocalStack;
import io.tidemark.stack.SecuredConnector;
import io.tidemark.stack.SecurityOptions;
import io.tidemark.stack.Service;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The trials of a run with {@code --secure}: each sink lands the same topic, in the same worker, on
 * services that require a login and encryption, and on an HDFS and a Metastore that require
 * neither. The broker has a listener of each kind.
 */
final class SecureTrials {

  /** Added to the name of a sink that logs in and encrypts. */
  static final String SECURE = "-secure";

  /** Added to the name of a sink whose data nodes encrypt with AES. */
  static final String AES = SECURE + "-aes";

  private static final String CIPHERS = "dfs.encrypt.data.transfer.cipher.suites";
  private static final String AES_SUITE = "AES/CTR/NoPadding";

  private final String openBroker = "localhost:" + FreePorts.next();

  /** Secures the services, and opens a listener of the broker without a login. */
  void secure(LocalStack.Builder services) {
    services
        .secured(SecurityOptions.USUAL)
        .kafkaProperties(Map.of("listeners", "PLAINTEXT://" + openBroker))
        .hdfsProperties(Map.of(CIPHERS, AES_SUITE));
  }

  /** Starts HDFS and a Metastore that require no login. The caller closes them first. */
  static LocalStack open(LocalStack secured, Path directory) throws IOException {
    SecuredConnector.makeDirectories(secured);
    return LocalStack.builder()
        .directory(directory)
        .beside(secured)
        .with(Service.METASTORE)
        .start();
  }

  /** Returns the trials of the sinks, those of each sink one after the other. */
  List<Trial> of(
      QuoteTopics topics,
      List<SinkUnderTest> sinks,
      LocalStack secured,
      LocalStack open,
      Trial.Watch watch) {
    List<Trial> trials = new ArrayList<>();
    for (SinkUnderTest sink : sinks) {
      trials.add(new Trial(topics, sink.with(sink.name(), withoutLogin(sink)), open, watch));
      Map<String, String> login =
          isOurs(sink) ? SecuredConnector.settings(secured) : Map.<String, String>of();
      trials.add(new Trial(topics, sink.with(sink.name() + SECURE, login), secured, watch));
      if (isOurs(sink)) {
        Map<String, String> aes = new HashMap<>(login);
        aes.put("hadoop." + CIPHERS, AES_SUITE);
        trials.add(new Trial(topics, sink.with(sink.name() + AES, aes), secured, watch));
      }
    }
    return trials;
  }

  private static boolean isOurs(SinkUnderTest sink) {
    return sink.configuration().containsKey("kafka.bootstrap.servers");
  }

  /** The worker's consumers log in, unless the connector overrides it. */
  private Map<String, String> withoutLogin(SinkUnderTest sink) {
    Map<String, String> settings = new HashMap<>();
    settings.put("consumer.override.bootstrap.servers", openBroker);
    settings.put("consumer.override.security.protocol", "PLAINTEXT");
    if (isOurs(sink)) {
      settings.put("kafka.bootstrap.servers", openBroker);
    }
    return settings;
  }
}
