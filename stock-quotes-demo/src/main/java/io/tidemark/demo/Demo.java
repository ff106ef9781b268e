package io.tidemark.demo;

import io.tidemark.stack.ConnectClient;
import io.tidemark.stack.ConnectRequestException;
import io.tidemark.stack.LocalStack;
import io.tidemark.stack.SecuredConnector;
import io.tidemark.stack.SecurityOptions;
import io.tidemark.stack.ServerFailedException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/**
 * The demo, after its build: starts the services, produces records, deploys the connector by REST,
 * follows the commits, and compares Hive's query results with the records sent. {@code ./demo} runs
 * it.
 */
final class Demo {

  private static final String CONNECTOR = "stock-quotes";
  private static final int TOPIC_PARTITIONS = 4;
  private static final long SEED = 20_261_120;
  private static final int STEPS = 11;

  private final DemoOptions options;
  private final Path directory;
  private final Screen screen;

  private Demo(DemoOptions options) {
    this.options = options;
    this.directory = options.root().resolve("target").resolve("demo");
    this.screen = new Screen(System.out, options.terminal());
  }

  public static void main(String[] arguments) {
    System.exit(exitCode(Arrays.asList(arguments)));
  }

  /** Returns 0 if every check succeeds, 2 for invalid arguments, otherwise 1. */
  private static int exitCode(List<String> arguments) {
    DemoOptions options;
    try {
      options = DemoOptions.parse(arguments);
    } catch (IllegalArgumentException e) {
      System.err.println("demo: " + e.getMessage());
      return 2;
    }
    Demo demo = new Demo(options);
    try {
      System.out.println(demo.run());
      return 0;
    } catch (DemoFailedException | ServerFailedException | ConnectRequestException e) {
      System.err.println("demo: FAILED: " + e.getMessage());
    } catch (Exception e) {
      // Any exception of a service's client ends the demo with its message.
      e.printStackTrace();
      System.err.println("demo: FAILED: " + e);
    }
    System.err.println("The logs of all services are in " + demo.directory.resolve("logs"));
    return 1;
  }

  /** Runs all steps, stops the services and returns the result as one line. */
  private String run() throws Exception {
    try (LocalStack stack = screen.step(2, STEPS, "Start the services", this::startServices);
        Admin admin = stack.kafka().admin()) {
      ConnectorConfig config =
          ConnectorConfig.read(
              options.root().resolve("config/stock-quotes.json"), stack, options.registry());
      screen.step(3, STEPS, "Create the topic", () -> createTopic(admin, config));
      Tally sent =
          screen.step(
              4,
              STEPS,
              "Produce %,d records".formatted(options.records()),
              () -> produce(stack, config));
      TimeReport times = new TimeReport(stack.connect().worker(0).process(), CONNECTOR, screen);
      screen.step(5, STEPS, "Deploy the connector", () -> deploy(stack, CONNECTOR, config));
      long landed =
          screen.step(
              6,
              STEPS,
              "Land the records in HDFS",
              () -> {
                long committed = new Landing(stack, CONNECTOR, config, screen).follow(sent);
                times.show(config.codec());
                return committed;
              });
      long counted =
          screen.step(
              7,
              STEPS,
              "Ask Hive",
              () -> new HiveReport(stack.hive(), config.table(), sent, screen).check());
      if (landed != sent.records()) {
        throw new DemoFailedException(landed + " records landed of " + sent.records());
      }
      Duration delay = sales(stack, admin);
      showTimes();
      String result =
          "demo: landed %d of %d records, Hive counts %d; sales complete %.1f s after the commit"
              .formatted(landed, sent.records(), counted, Screen.seconds(delay));
      if (options.keep()) {
        System.out.println(result);
        keep(stack);
      }
      return result;
    }
  }

  /**
   * Runs the second part; returns the time from the last commit until the group of tables was
   * complete.
   */
  private Duration sales(LocalStack stack, Admin admin) throws Exception {
    System.out.println();
    System.out.println("Second act: is 07:00 complete in orders, order_lines and payments?");
    ConnectorConfig config =
        ConnectorConfig.read(
            options.root().resolve("config/sales.json"), stack, options.registry());
    try (SalesAct act = new SalesAct(stack, options.registry(), screen)) {
      screen.step(8, STEPS, "Produce the sales of an hour", () -> act.produce(admin));
      screen.step(
          9,
          STEPS,
          "Deploy the connector and look at 07:00",
          () -> deploy(stack, SalesAct.CONNECTOR, config) && act.showWaiting());
      if (options.asks()) {
        System.out.print("      > Press Enter to commit the payment provider's transaction ");
        System.out.flush();
        awaitEnter();
      }
      Duration delay =
          screen.step(10, STEPS, "Commit the transaction", () -> act.commitAndFollow());
      screen.line("sales is complete %.1f s after the commit", Screen.seconds(delay));
      screen.step(11, STEPS, "Reconcile", act::reconcile);
      return delay;
    }
  }

  private LocalStack startServices() throws IOException {
    deleteOldRun();
    LocalStack.Builder builder =
        LocalStack.builder()
            .directory(directory)
            .with(options.registry().services())
            .pluginArchive(archive());
    if (options.secure()) {
      builder.secured(SecurityOptions.USUAL);
    }
    LocalStack stack = builder.start();
    SecuredConnector.makeDirectories(stack);
    screen.line("logs of all services: %s", stack.logs());
    return stack;
  }

  private void deleteOldRun() throws IOException {
    if (Files.exists(directory)) {
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.sorted((one, other) -> other.compareTo(one)).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  private Path archive() throws IOException {
    Path folder = options.root().resolve("connector/target");
    try (DirectoryStream<Path> archives = Files.newDirectoryStream(folder, "tidemark-*.zip")) {
      for (Path archive : archives) {
        return archive;
      }
    }
    throw new DemoFailedException("the build has created no tidemark-*.zip in " + folder);
  }

  private boolean createTopic(Admin admin, ConnectorConfig config)
      throws InterruptedException, ExecutionException {
    admin
        .createTopics(Set.of(new NewTopic(config.topic(), TOPIC_PARTITIONS, (short) 1)))
        .all()
        .get();
    screen.line("topic %s has %d topic-partitions", config.topic(), TOPIC_PARTITIONS);
    return true;
  }

  private Tally produce(LocalStack stack, ConnectorConfig config)
      throws IOException, ExecutionException, InterruptedException {
    Path schema = options.root().resolve("config/stock-quote.avsc");
    return new QuoteProducer(
            stack.kafka().clientSettings(SecurityOptions.CONNECT),
            options.registry().settings(stack),
            config.topic(),
            TOPIC_PARTITIONS,
            new Schema.Parser().parse(schema.toFile()))
        .send(QuoteFeed.ofDay(options.records(), SEED), options.records(), screen);
  }

  private boolean deploy(LocalStack stack, String connector, ConnectorConfig config) {
    ConnectClient client = stack.connect().client();
    Map<String, List<String>> errors = client.validate(config.settings());
    if (!errors.isEmpty()) {
      throw new DemoFailedException("the configuration is refused: " + errors);
    }
    client.configure(connector, config.settings());
    client.awaitRunning(connector, Duration.ofMinutes(1));
    screen.line("PUT %s/connectors/%s/config: RUNNING", stack.connect().worker(0).url(), connector);
    return true;
  }

  private void showTimes() {
    System.out.println();
    screen
        .stepTimes()
        .forEach((step, time) -> System.out.printf("%8.1f s  %s%n", Screen.seconds(time), step));
    System.out.println();
  }

  private void keep(LocalStack stack) throws IOException {
    System.out.printf(
        """
        The services continue to run. Press Enter to stop them.
          Kafka          %s
          Connect        %s
          Registry       %s
          HDFS           %s   (web: %s)
          Metastore      %s
          HiveServer2    %s
          logs           %s
        """,
        stack.kafka().bootstrapServers(),
        stack.connect().worker(0).url(),
        options.registry().url(stack),
        stack.hdfs().uri(),
        stack.hdfs().webUrl(),
        stack.metastore().uris(),
        stack.hive().jdbcUrl(),
        stack.logs());
    awaitEnter();
  }

  private static void awaitEnter() throws IOException {
    while (System.in.read() > '\n') {
      // Read to the end of the line or of the input.
    }
  }
}
