package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.tidemark.cli.audit.AuditServices;
import io.tidemark.completeness.decide.Ledger;
import io.tidemark.completeness.decide.Snapshots;
import io.tidemark.completeness.ledger.AnnouncementsState;
import io.tidemark.completeness.ledger.Completion;
import io.tidemark.completeness.ledger.Covering;
import io.tidemark.completeness.ledger.GroupState;
import io.tidemark.completeness.ledger.HeldBecause;
import io.tidemark.completeness.ledger.HivePartitionTotal;
import io.tidemark.completeness.ledger.Hold;
import io.tidemark.completeness.ledger.LedgerDirectories;
import io.tidemark.completeness.ledger.LedgerEntry;
import io.tidemark.completeness.ledger.LedgerState;
import io.tidemark.completeness.ledger.Position;
import io.tidemark.completeness.ledger.Snapshot;
import io.tidemark.completeness.ledger.TableState;
import io.tidemark.completeness.ledger.TopicEnds;
import io.tidemark.completeness.ledger.TopicState;
import io.tidemark.completeness.reckon.LedgerLog;
import io.tidemark.completeness.reckon.OwnedLedger;
import io.tidemark.store.LocalStorage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.batch.RecordCounts;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

/** A store on a local disk with a ledger, and a server that answers as Connect does. */
final class DeployedConnector implements AutoCloseable {
  final Map<String, String> config = new TreeMap<>();
  String state = "RUNNING";
  String taskState = "RUNNING";

  /** The restarts that Connect was requested to do. */
  final List<String> restarts = new CopyOnWriteArrayList<>();

  /** The last entries of the commit logs of "orders" that the ledger has taken. */
  final SortedMap<Integer, Position> taken = new TreeMap<>();

  /** The completions of the next reckoning. */
  final List<Completion> completions = new ArrayList<>();

  /** The last entry that the next reckonings report as shown. */
  long shownThrough;

  /** The clock of the machine on which the command runs. */
  Clock clock = Clock.systemUTC();

  /** Connect's answer to requests for the connector's state, if not 200. */
  int statusRefusal = 200;

  /** Connect's answer to each request, if not 200. */
  int refusal = 200;

  /** The time through which snapshots are valid. Kafka is asked a minute later. */
  final Instant through = Instant.now().truncatedTo(ChronoUnit.SECONDS).minusSeconds(120);

  /** The statements of the next reckonings about announced batches. */
  Optional<AnnouncementsState> announcements = Optional.empty();

  final LedgerDirectories folders = new LedgerDirectories(new StoragePath("/ledger"), "sales");
  final LedgerLog log;
  private final HttpServer server;

  DeployedConnector(Path directory) throws IOException {
    config.put("name", "sales");
    config.put("connector.class", "io.tidemark.connect.TidemarkSinkConnector");
    config.put("topics", "orders");
    config.put("kafka.bootstrap.servers", "kafka:9092");
    config.put("schema.registry.url", "http://registry:8081");
    config.put("store.url", directory.toUri().toString().replaceFirst("^file:/+", "file:///"));
    config.put("completeness.groups", "sales=default.orders");
    log =
        new LedgerLog(
            new LocalStorage(directory),
            folders,
            "sales",
            "w1",
            Clock.systemUTC(),
            Duration.ofMinutes(1));
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  private void answer(HttpExchange exchange) throws IOException {
    Object body =
        switch (exchange.getRequestURI().getPath()) {
          case "/connectors" -> List.of("sales", "other");
          case "/connectors/sales" ->
              Map.of("name", "sales", "config", config, "tasks", List.of(), "type", "sink");
          case "/connectors/sales/status" ->
              Map.of(
                  "connector",
                  Map.of("state", state),
                  "tasks",
                  List.of(
                      Map.of("id", 0, "state", "RUNNING"),
                      Map.of("id", 1, "state", "RUNNING"),
                      Map.of("id", 2, "state", taskState)));
          default -> Map.of();
        };
    if (exchange.getRequestURI().getPath().endsWith("/restart")) {
      restarts.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
      exchange.sendResponseHeaders(202, -1);
      exchange.close();
      return;
    }
    boolean ofState = exchange.getRequestURI().getPath().endsWith("/status");
    int status =
        ofState && statusRefusal != 200
            ? statusRefusal
            : refusal != 200 ? refusal : body.equals(Map.of()) ? 404 : 200;
    byte[] text = new ObjectMapper().writeValueAsBytes(body);
    exchange.sendResponseHeaders(status, text.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(text);
    }
  }

  String url() {
    return "http://localhost:" + server.getAddress().getPort();
  }

  /**
   * Writes a claim, a snapshot, and a reckoning in which the snapshot is covered, or has a reason
   * why not.
   */
  void reckon(Optional<HeldBecause> held, List<Hold> holds, List<HivePartitionTotal> sums)
      throws Exception {
    OwnedLedger owned = ((OwnedLedger.Outcome.Owned) log.claim(0)).ledger();
    Instant askedAt = through.plusSeconds(60);
    Snapshot snapshot =
        new Snapshot(
            through,
            askedAt,
            "cluster",
            new TreeMap<>(
                Map.of(
                    "orders",
                    new TopicEnds("t", List.of(10L, 10L), Collections.emptySortedMap()))));
    // The entry has the present time: the store's clock must agree with it.
    owned =
        append(
            owned,
            Snapshots.entry(owned.ledger(), snapshot, Map.of(), UUID.randomUUID(), Instant.now()));
    Ledger ledger = owned.ledger();
    Optional<Instant> reached = held.isPresent() ? Optional.empty() : Optional.of(through);
    TopicState topic =
        new TopicState(
            "t",
            2,
            2,
            reached,
            held.isPresent() ? 0 : ledger.number(),
            reached.map(any -> askedAt),
            RecordCounts.NONE,
            RecordCounts.NONE,
            Optional.empty(),
            held,
            Optional.empty(),
            Optional.empty(),
            new TreeMap<>(),
            taken);
    LedgerState state =
        new LedgerState(
            Optional.of(through),
            held.isPresent() ? ledger.state().pending() : List.of(),
            shownThrough,
            new TreeMap<>(Map.of("orders", topic)),
            new TreeMap<>(
                Map.of(
                    "default.orders",
                    new TableState(
                        List.of("orders"),
                        reached,
                        held,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty()))),
            new TreeMap<>(
                Map.of("sales", new GroupState(List.of("default.orders"), reached, held))),
            holds,
            announcements,
            announcements.isPresent() ? List.of(AnnouncementsState.FEATURE) : List.of(),
            ledger.state().unknown());
    owned =
        append(
            owned,
            new LedgerEntry.Reckoning(
                UUID.randomUUID(),
                state,
                Instant.now(),
                held.isPresent()
                    ? new TreeMap<>()
                    : new TreeMap<>(
                        Map.of("orders", new Covering(ledger.number(), RecordCounts.NONE))),
                sums,
                completions));
    assertThat(owned.ledger().number()).isEqualTo(ledger.number() + 1);
  }

  private static OwnedLedger append(OwnedLedger owned, LedgerEntry entry) throws Exception {
    OwnedLedger.Outcome append = owned.append(entry);
    assertThat(append).isInstanceOf(OwnedLedger.Outcome.Owned.class);
    return ((OwnedLedger.Outcome.Owned) append).ledger();
  }

  /** The exit code of a command, and its output. */
  record Ended(int code, String out, String err) {}

  /** Runs a subcommand on this connector. */
  Ended run(String subcommand, String... options) {
    List<String> arguments =
        new ArrayList<>(List.of(subcommand, "--connector", "sales", "--connect", url()));
    arguments.addAll(List.of(options));
    return run(AuditServices.DEPLOYED, clock, arguments.toArray(String[]::new));
  }

  /** Runs the command. */
  static Ended runAs(String... arguments) {
    return runWith(AuditServices.DEPLOYED, arguments);
  }

  /** Runs the command with the given services. */
  static Ended runWith(AuditServices services, String... arguments) {
    return run(services, Clock.systemUTC(), arguments);
  }

  private static Ended run(AuditServices services, Clock clock, String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        Tidemark.run(
            new Console(
                new PrintWriter(out, true),
                new PrintWriter(err, true),
                clock,
                Duration.ofMillis(50)),
            services,
            arguments);
    return new Ended(code, out.toString(), err.toString());
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
