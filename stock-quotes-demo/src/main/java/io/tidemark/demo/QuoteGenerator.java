package io.tidemark.demo;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.avro.Schema;
import org.apache.avro.SchemaParseException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.errors.TopicExistsException;

/**
 * Produces quotes to a topic of any cluster: a fixed number, or at a rate until it is stopped. The
 * image {@code tidemark/quotes} runs it.
 */
final class QuoteGenerator {

  private static final int TOPIC_PARTITIONS = 4;
  private static final String USAGE =
      "options: --kafka=ADDRESSES --registry=URL --topic=NAME --schema=FILE, and either"
          + " --records=N for the quotes of one trading day, or --rate=N for N quotes of this"
          + " moment in each second, until it is stopped; with --client=FILE, the properties of"
          + " Kafka's clients, to log in";
  private static final Set<String> OPTIONS =
      Set.of("--kafka", "--registry", "--topic", "--schema", "--records", "--rate", "--client");

  private final Map<String, String> options;

  private QuoteGenerator(Map<String, String> options) {
    this.options = options;
  }

  public static void main(String[] arguments) {
    System.exit(exitCode(Arrays.asList(arguments)));
  }

  /** Returns 0 if everything was sent, 2 for invalid arguments, otherwise 1. */
  private static int exitCode(List<String> arguments) {
    try {
      new QuoteGenerator(parse(arguments)).run();
      return 0;
    } catch (IllegalArgumentException e) {
      System.err.println("quotes: " + e.getMessage() + "\n" + USAGE);
      return 2;
    } catch (IOException | ExecutionException | SchemaParseException e) {
      System.err.println("quotes: FAILED: " + e);
      return 1;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 1;
    }
  }

  /** Reads options of the form {@code --name=value}. */
  static Map<String, String> parse(List<String> arguments) {
    Map<String, String> options = new TreeMap<>();
    for (String argument : arguments) {
      String[] parts = argument.split("=", 2);
      if (parts.length < 2 || !OPTIONS.contains(parts[0])) {
        throw new IllegalArgumentException(argument + " is not an option");
      }
      options.put(parts[0], parts[1]);
    }
    if (options.containsKey("--records") == options.containsKey("--rate")) {
      throw new IllegalArgumentException("one of --records and --rate is needed");
    }
    return options;
  }

  private void run() throws IOException, ExecutionException, InterruptedException {
    long seed = System.nanoTime();
    long records = options.containsKey("--rate") ? Long.MAX_VALUE : number("--records");
    QuoteFeed feed =
        options.containsKey("--rate")
            ? QuoteFeed.live(number("--rate"), seed)
            : QuoteFeed.ofDay(records, seed);
    createTopic();
    new QuoteProducer(
            client(),
            Map.of("schema.registry.url", value("--registry")),
            value("--topic"),
            TOPIC_PARTITIONS,
            new Schema.Parser().parse(Path.of(value("--schema")).toFile()))
        .send(feed, records, new Screen(System.out, false));
  }

  /** Creates the topic if it does not exist, with the brokers' default replication factor. */
  private void createTopic() throws IOException, ExecutionException, InterruptedException {
    NewTopic topic =
        new NewTopic(value("--topic"), Optional.of(TOPIC_PARTITIONS), Optional.empty());
    try (Admin admin = Admin.create(Map.<String, Object>copyOf(client()))) {
      admin.createTopics(Set.of(topic)).all().get();
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof TopicExistsException)) {
        throw e;
      }
    }
  }

  private Map<String, String> client() throws IOException {
    Map<String, String> settings = new HashMap<>();
    if (options.containsKey("--client")) {
      Properties properties = new Properties();
      try (Reader file = Files.newBufferedReader(Path.of(value("--client")))) {
        properties.load(file);
      }
      properties
          .stringPropertyNames()
          .forEach(key -> settings.put(key, properties.getProperty(key)));
    }
    settings.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, value("--kafka"));
    return settings;
  }

  private long number(String option) {
    try {
      return Long.parseLong(value(option));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(option + "=" + value(option) + " is not a number", e);
    }
  }

  private String value(String option) {
    String value = options.get(option);
    if (value == null) {
      throw new IllegalArgumentException(option + " is missing");
    }
    return value;
  }
}
