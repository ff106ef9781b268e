package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.cli.DeployedConnector.Ended;
import io.tidemark.completeness.ledger.Account;
import io.tidemark.completeness.ledger.HeldBecause;
import io.tidemark.completeness.ledger.HivePartitionTotal;
import io.tidemark.completeness.ledger.Hold;
import io.tidemark.completeness.ledger.HoldKind;
import io.tidemark.completeness.reckon.Inbox;
import io.tidemark.store.LocalStorage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.table.TableName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@SuppressWarnings("NullAway.Init") // JUnit sets the fields.
class TidemarkTest {
  private static final HeldBecause BEHIND =
      new HeldBecause("BEHIND", "orders-1: 1200 offsets behind");
  private static final Hold LOST = new Hold(HoldKind.LOST, "orders", 1, "t", 100, 250);
  private static final HeldBecause HELD =
      new HeldBecause("LOST", "orders-1: Kafka no longer retained");

  @TempDir private Path directory;
  private DeployedConnector connector;

  @BeforeEach
  void deploy() throws Exception {
    connector = new DeployedConnector(directory);
  }

  @AfterEach
  void stop() {
    connector.close();
  }

  private void complete() throws Exception {
    connector.reckon(Optional.empty(), List.of(), List.of());
  }

  private void held(HeldBecause because, Hold... holds) throws Exception {
    connector.reckon(Optional.of(because), List.of(holds), List.of());
  }

  private static void assertMistake(Ended ended, int code, String... parts) {
    assertThat(ended.code()).as(ended.err()).isEqualTo(code);
    assertThat(ended.err()).contains(parts).doesNotContain("\tat ");
    assertThat(ended.out()).isEmpty();
  }

  @Test
  void statusOfWhatIsCompleteSaysYes() throws Exception {
    complete();

    Ended ended = connector.run("status");

    assertThat(ended.code()).as(ended.toString()).isZero();
    assertThat(ended.out())
        .contains(
            "connector sales: RUNNING, ledger entry 3",
            "table  default.orders  " + connector.through,
            "group  sales           " + connector.through,
            "2m 0");
  }

  @Test
  void statusSaysWhyAndTheCure() throws Exception {
    connector.taskState = "FAILED";
    held(BEHIND);

    Ended ended = connector.run("status");

    assertThat(ended.code()).isEqualTo(1);
    assertThat(ended.out())
        .contains(
            "table  default.orders  never",
            "BEHIND orders-1: 1200 offsets behind.",
            "what to do: Failed tasks: 2.");
  }

  @Test
  void manifestThatTheStoreRefusesIsForAnOperator() throws Exception {
    held(new HeldBecause("NOT_SHOWN", "default.orders: the store refuses the manifest of hour=07"));

    Ended ended = connector.run("status");

    assertThat(ended.code()).isEqualTo(3);
    assertThat(ended.out())
        .contains("NOT_SHOWN default.orders: the store refuses", "raise its quota");
    String until = connector.through.toString();
    assertThat(
            connector
                .run("wait", "--table", "default.orders", "--until", until, "--timeout", "1s")
                .code())
        .isEqualTo(3);
  }

  @Test
  void topicWithoutATableOfItsOwnIsListed() throws Exception {
    held(new HeldBecause("NAME_TAKEN", "orders: its table would be default.orders"));

    Ended ended = connector.run("status");

    assertThat(ended.code()).isEqualTo(3);
    assertThat(ended.out()).contains("topic  orders", "NAME_TAKEN orders: its table");
    // The reason has the cure: another one if a topic of the table is not counted.
    assertThat(ended.out()).doesNotContain("create another connector");
    JsonNode json = new ObjectMapper().readTree(connector.run("status", "--json").out());
    assertThat(json.path("topics").path(0).path("name").asText()).isEqualTo("orders");
    assertThat(json.path("topics").path(0).path("held").path("reason").asText())
        .isEqualTo("NAME_TAKEN");
  }

  @Test
  void statusNamesHoldsAsRepairTakesThem() throws Exception {
    held(HELD, LOST);

    Ended ended = connector.run("status");

    assertThat(ended.code()).isEqualTo(3);
    assertThat(ended.out())
        .contains(
            "tidemark repair --connector sales --connect "
                + connector.url()
                + " --acknowledge 'orders-1@100-250' --reason TEXT --execute");
  }

  /** Tasks write such waits to their accounts. */
  @Test
  void statusNamesTheWaitsOfTasks() throws Exception {
    String refused = "orders: the table default.orders since 2026-11-21T07:00:00Z: orders-0@0: no";
    held(HELD);
    assertThat(connector.run("status").out()).doesNotContain("Waits of tasks");

    account(0, Instant.now().minusSeconds(2), "an earlier wait of the task");
    account(0, Instant.now(), refused);
    account(1, Instant.now().minusSeconds(3 * 3_600), "a wait of a task that is gone");

    Ended ended = connector.run("status");
    assertThat(ended.out())
        .contains("Waits of tasks that may need an operator:\n  " + refused)
        .doesNotContain("an earlier wait", "is gone");
    assertThat(new ObjectMapper().readTree(connector.run("status", "--json").out()).path("waits"))
        .extracting(JsonNode::asText)
        .containsExactly(refused);
  }

  /** Its account stays for two hours. */
  @Test
  void statusDropsTheWaitsOfATaskThatIsGoneOrHasFailed() throws Exception {
    held(HELD);
    account(1, Instant.now(), "a wait of a task that runs");
    account(2, Instant.now(), "a wait of a task that has failed");
    account(3, Instant.now().minusSeconds(60), "a wait of a task that is gone");
    connector.taskState = "FAILED";

    assertThat(connector.run("status").out())
        .contains("a wait of a task that runs")
        .doesNotContain("has failed", "is gone");

    // Connect does not answer for the state, so the tasks are unknown.
    connector.statusRefusal = 500;
    assertThat(connector.run("status").out())
        .containsPattern(
            "a wait of a task that is gone \\(task 3 reported it at 20\\S+Z; Connect does not say whether the task still runs\\)")
        .containsPattern("a wait of a task that runs \\(task 1 reported it");
  }

  private void account(int task, Instant at, String wait) throws Exception {
    LocalStorage storage = new LocalStorage(directory);
    StoragePath file =
        new Inbox(storage, connector.folders, 1, 1)
            .put(new Account("sales", task, "1@w", new TreeMap<>(), List.of(), List.of(wait)), at);
    Files.setLastModifiedTime(directory.resolve(file.value().substring(1)), FileTime.from(at));
  }

  @Test
  void pausedConnectorsReckonerIsAway() throws Exception {
    connector.config.put("completeness.interval.ms", "1000");
    connector.state = "PAUSED";
    complete();

    Ended ended = connector.run("status");

    assertThat(ended.code()).isEqualTo(4);
    assertThat(ended.out()).contains("RECKONER_AWAY", "PAUSED", "PUT /connectors/sales/resume");
  }

  @Test
  void silentReckonerOfARunningConnectorIsUnknown() {
    Ended ended = connector.run("status");

    assertThat(ended.code()).isEqualTo(4);
    assertThat(ended.out()).contains("UNKNOWN there is no ledger yet", "tidemark-ledger-sales");
  }

  @Test
  void serviceAwayCannotBeTold() throws Exception {
    held(new HeldBecause("SERVICE_AWAY", "orders: the catalog does not answer"));

    assertThat(connector.run("status").code()).isEqualTo(4);
  }

  /** Uses {@code completeness.hold.on} without {@code lost}. */
  @Test
  void holdOfAKindThatHoldsNothingIsNoOperatorsBusiness() throws Exception {
    connector.config.put("completeness.hold.on", "deleted,unseen");
    connector.reckon(Optional.empty(), List.of(LOST), List.of());

    Ended ended = connector.run("status");

    assertThat(ended.code()).as(ended.toString()).isZero();
    assertThat(ended.out()).doesNotContain("Holds:");
  }

  /** This is independent of the connector's other topics. */
  @Test
  void topicHasItsOwnKindsOfHoldsThatHold() throws Exception {
    connector.config.put("completeness.hold.on", "deleted,unseen");
    connector.config.put("topic.orders.completeness.hold.on", "lost");
    connector.reckon(Optional.empty(), List.of(LOST), List.of());

    assertThat(connector.run("status").out()).contains("Holds:", "orders-1@100-250");

    connector.config.put("completeness.hold.on", "lost");
    connector.config.put("topic.orders.completeness.hold.on", "deleted");
    assertThat(connector.run("status").out()).doesNotContain("Holds:");
  }

  @Test
  void jsonHasWhatTheTextHas() throws Exception {
    held(HELD, LOST);

    JsonNode json = new ObjectMapper().readTree(connector.run("status", "--json").out());

    assertThat(json.at("/tables/0/name").asText()).isEqualTo("default.orders");
    assertThat(json.at("/tables/0/held/reason").asText()).isEqualTo("LOST");
    assertThat(json.at("/groups/0/name").asText()).isEqualTo("sales");
    assertThat(json.at("/holds/0/acknowledge").asText()).isEqualTo("orders-1@100-250");
  }

  @Test
  void pageShowsHoursAndNeedsNothingElse() throws Exception {
    Instant day = connector.through.truncatedTo(ChronoUnit.DAYS).minus(Duration.ofDays(1));
    connector.reckon(
        Optional.empty(),
        List.of(),
        List.of(total(day, 5, 0), total(day.plus(Duration.ofHours(2)), 5, 3)));
    Path file = directory.resolve("page.html");

    assertThat(connector.run("status", "--html", file.toString()).code()).isZero();

    assertThat(Files.readString(file))
        .contains(
            "class=\"hour complete\" data-hour=\"" + day + "\"",
            "class=\"hour empty\" data-hour=\"" + day.plus(Duration.ofHours(1)) + "\"",
            "class=\"hour late\" data-hour=\"" + day.plus(Duration.ofHours(2)) + "\"",
            "late: 3 records",
            "name=\"viewport\"",
            "prefers-color-scheme")
        .doesNotContain("<script", "src=", "href=", "url(");
  }

  private static HivePartitionTotal total(Instant hour, long records, long late) {
    return new HivePartitionTotal(
        TableName.parse("default.orders"),
        HivePartition.parse("hour=" + hour.toString().substring(11, 13)),
        Optional.of(hour),
        Optional.of(hour.plus(Duration.ofHours(1))),
        records,
        records,
        1,
        late,
        false);
  }

  @Test
  void textOfTheLedgerCannotBreakThePage() throws Exception {
    held(new HeldBecause("BEHIND", "<script>alert(1)</script>\u001b[31m"));
    Path file = directory.resolve("page.html");

    Ended ended = connector.run("status", "--html", file.toString());

    assertThat(Files.readString(file)).contains("&lt;script&gt;").doesNotContain("<script");
    assertThat(ended.out()).doesNotContain("\u001b");
  }

  @Test
  void waitEndsOnceItIsComplete() throws Exception {
    complete();

    for (String[] subject :
        List.of(arguments("--table", "default.orders"), arguments("--group", "sales"))) {
      Ended ended =
          connector.run("wait", subject[0], subject[1], "--until", connector.through.toString());
      assertThat(ended.code()).as(ended.err()).isZero();
      assertThat(ended.out()).contains("is complete through " + connector.through);
    }
  }

  private static String[] arguments(String... all) {
    return all;
  }

  @Test
  void waitTellsAnOperatorFromTimeAndFromAnOutage() throws Exception {
    held(BEHIND);
    assertThat(waitASecond())
        .satisfies(ended -> assertThat(ended.code()).isEqualTo(1))
        .satisfies(ended -> assertThat(ended.err()).contains("BEHIND", "timeout of 1s is over"));
    held(HELD, LOST);
    assertThat(waitASecond().code()).isEqualTo(3);
    held(new HeldBecause("NOT_CONFIGURED", "orders-1: 5 offsets behind"));
    assertThat(waitASecond().code()).isEqualTo(3);
    assertThat(connector.run("status").code()).isEqualTo(3);
    held(new HeldBecause("SERVICE_AWAY", "the catalog does not answer"));
    assertThat(waitASecond().code()).isEqualTo(4);
  }

  private Ended waitASecond() {
    return connector.run(
        "wait", "--table", "default.orders", "--until", "2026-11-21T08:00Z", "--timeout", "1s");
  }

  @Test
  void waitForNowAsksForASnapshotAndDoesNotTakeAnOlderOne() throws Exception {
    complete();

    Ended ended = connector.run("wait", "--table", "default.orders", "--now", "--timeout", "1s");

    assertThat(ended.code()).isEqualTo(1);
    try (var requests = Files.list(directory.resolve("ledger/logs/sales/requests"))) {
      assertThat(requests).hasSize(1);
    }
  }

  /** The scheduler's machine has another time than the worker. */
  @Test
  void waitForNowDoesNotGoByTheClockOfItsOwnMachine() throws Exception {
    complete();
    for (int hours : List.of(-1, 1)) {
      connector.clock = Clock.offset(Clock.systemUTC(), Duration.ofHours(hours));
      assertThat(waitForNow("1s").code()).as("hours %d", hours).isNotZero();

      Set<Path> before = Set.copyOf(requests());
      CompletableFuture<Ended> waiting = CompletableFuture.supplyAsync(() -> waitForNow("1m"));
      Path request = newRequest(before, waiting);
      complete();
      assertThat(waiting.isDone()).as("the snapshot may be of before the request").isFalse();
      Files.delete(request);
      assertThat(waiting.get().code()).as(waiting.get().err()).isZero();
    }
  }

  private Ended waitForNow(String timeout) {
    return connector.run("wait", "--table", "default.orders", "--now", "--timeout", timeout);
  }

  private Path newRequest(Set<Path> before, CompletableFuture<Ended> waiting) throws Exception {
    while (!waiting.isDone()) {
      for (Path each : requests()) {
        if (!before.contains(each)) {
          return each;
        }
      }
      Thread.sleep(10);
    }
    throw new AssertionError(waiting.get().err());
  }

  private List<Path> requests() throws IOException {
    try (var files = Files.list(directory.resolve("ledger/logs/sales/requests"))) {
      return files.filter(file -> file.toString().endsWith(".json")).toList();
    }
  }

  @Test
  void groupIsNotWhatItWasBeforeItsMembersChanged() throws Exception {
    complete();
    connector.config.put("completeness.groups", "sales=default.orders,default.payments");
    String[] options = {"--group", "sales", "--until", connector.through.toString()};

    Ended redefined = connector.run("wait", withTimeout(options));
    assertThat(redefined.code()).isEqualTo(1);
    assertThat(redefined.err()).contains("other members", "default.payments");

    connector.config.put("completeness.groups", "sales=default.orders@sales");
    assertThat(connector.run("wait", withTimeout(options)).code()).isZero();
    connector.config.put("completeness.groups", "");
    assertMistake(connector.run("wait", withTimeout(options)), 2, "declares no such group");
  }

  private static String[] withTimeout(String... options) {
    return Stream.concat(Stream.of(options), Stream.of("--timeout", "0s")).toArray(String[]::new);
  }

  @Test
  void repairSaysWhatItWouldDoAndDoesItOnlyWhenTold() throws Exception {
    held(HELD, LOST);
    String[] options = {"--acknowledge", "orders-1@100-250", "--reason", "known"};

    Ended dry = connector.run("repair", options);
    assertThat(dry.code()).as(dry.err()).isZero();
    assertThat(dry.out()).contains("acknowledge LOST orders-1@100-250", "Nothing was changed");
    assertThat(connector.log.read().state().holds()).allMatch(Hold::open);

    Ended done =
        connector.run(
            "repair", "--acknowledge", "orders-1@100-250", "--reason", "known", "--execute");
    assertThat(done.code()).as(done.err()).isZero();
    assertThat(connector.log.read().state().holds())
        .extracting(Hold::acknowledged)
        .containsExactly(Optional.of("known"));
    assertMistake(connector.run("repair", options), 2, "no such open hold; it has none");
  }

  @Test
  void acknowledgementOfADeletionLeavesAGapAtTheSameOffsetsOpen() throws Exception {
    Hold gap = new Hold(HoldKind.GAP, "orders", 1, "t", 100, Long.MAX_VALUE);
    held(HELD, new Hold(HoldKind.DELETED, "orders", 1, "t", 100, Long.MAX_VALUE), gap);
    String same = "orders-1@100-" + Long.MAX_VALUE;
    assertThat(connector.run("status").out())
        .contains("--acknowledge 'DELETED:" + same + "'", "--acknowledge 'GAP:" + same + "'");

    String[] both = {"--acknowledge", same, "--reason", "known", "--execute"};
    assertMistake(connector.run("repair", both), 2, "it has DELETED:" + same + ", GAP:" + same);
    Ended done =
        connector.run(
            "repair", "--acknowledge", "DELETED:" + same, "--reason", "known", "--execute");
    assertThat(done.code()).as(done.err()).isZero();
    assertThat(connector.log.read().state().holds()).filteredOn(Hold::open).containsExactly(gap);
  }

  @Test
  void topicIsRetiredBeforeItIsDeleted() throws Exception {
    complete();
    Ended done = connector.run("repair", "--retire", "orders", "--reason", "rotated", "--execute");
    assertThat(done.code()).as(done.err()).isZero();
    assertThat(connector.log.read().state().topic("orders").retired())
        .hasValueSatisfying(retired -> assertThat(retired.topicId()).isEqualTo("t"));
    Ended unknown =
        connector.run("repair", "--retire", "refunds", "--reason", "rotated", "--execute");
    assertThat(unknown.code()).isEqualTo(2);
    assertThat(unknown.err()).contains("has no table in this ledger");
  }

  @Test
  void releasedTopicMustNotBeConfigured() throws Exception {
    complete();
    String[] options = {"--release", "orders", "--reason", "moved", "--execute"};
    assertMistake(connector.run("repair", options), 2, "configuration has this topic");

    connector.config.put("topics", "others");
    assertThat(connector.run("repair", options).code()).isZero();
    assertThat(connector.log.read().state().tables().values())
        .allMatch(table -> table.topics().isEmpty());
  }

  /** Tables would be complete without its records until the connector lists the topic again. */
  @Test
  void releasedTopicMustNotMatchThePattern() throws Exception {
    complete();
    connector.config.remove("topics");
    connector.config.put("topics.regex", "ord.*");
    String[] options = {"--release", "orders", "--reason", "moved", "--execute"};
    assertMistake(connector.run("repair", options), 2, "topics.regex");
    assertThat(connector.log.read().state().topicsOfTables()).contains("orders");

    connector.config.put("topics.regex", "(?!orders$)ord.*");
    assertThat(connector.run("repair", options).code()).isZero();
  }

  @Test
  void refusedReleaseLeavesTheHoldsOfTheSameCommandOpen() throws Exception {
    held(HELD, LOST);
    List<String> options = new ArrayList<>(List.of("--acknowledge", "orders-1@100-250"));
    options.addAll(List.of("--release", "unknown", "--reason", "known"));
    for (int i = 0; i < 2; i++) {
      Ended refused = connector.run("repair", options.toArray(String[]::new));
      assertThat(refused.code()).isEqualTo(2);
      assertThat(refused.err()).contains("the topic unknown has no table");
      assertThat(connector.log.read().state().holds()).hasSize(1).allMatch(Hold::open);
      options.add("--execute");
    }
  }

  @Test
  void retiringSaysWhenTheTopicMayBeDeleted() throws Exception {
    complete();
    assertThat(connector.run("repair", "--retire", "orders", "--reason", "rotated").out())
        .contains("delete it only after a later tidemark wait --now has ended");
  }

  /** The newest copy lacks what the tasks have landed since they continued an older one. */
  @Test
  void logThatWasContinuedIsNotReplacedByAnotherCopy() throws Exception {
    held(new HeldBecause("GAP", "orders-1: the log does not continue at offset 100"));
    assertThat(connector.run("status").out())
        .contains("put the newest copy back, and acknowledge nothing")
        .contains("If they have continued it (operator.consent), do not put another copy back");
  }

  @Test
  void announcementOfAnUnknownTopicIsNotCorrectedUnderItsId() throws Exception {
    held(new HeldBecause("NO_TOPIC", "ordres: the connector reads no such topic"));
    assertThat(connector.run("status").out()).contains("Do not announce this id again");
  }

  @Test
  void auditNeedsTheWorkersPropertyForClassesInKafkaSettings() throws Exception {
    complete();
    connector.config.put("kafka.metric.reporters", "com.example.Reporter");
    assertMistake(
        connector.run("audit"), 2, "kafka.metric.reporters", "JAVA_OPTS=-Dtidemark.kafka.allowed=");
    assertThat(connector.run("status").code()).isZero();
  }

  @Test
  void mistakesOfUsageSayWhatToWrite() throws Exception {
    complete();
    assertMistake(DeployedConnector.runAs("status"), 2, "--connector");
    assertMistake(DeployedConnector.runAs(), 2, "Usage: tidemark");
    assertMistake(
        DeployedConnector.runAs("status", "--connector", "sales", "--connect", "localhost"),
        2,
        "not the address of a Connect worker");
    assertMistake(
        DeployedConnector.runAs("status", "--connector", "sale", "--connect", connector.url()),
        2,
        "has no connector \"sale\"; it has sales, other");
    assertMistake(
        connector.run("wait", "--table", "a.b", "--until", "8 o'clock"), 2, "2026-11-21T08:00Z");
    assertMistake(connector.run("wait", "--table", "a.b", "--now", "--timeout", "soon"), 2, "30m");
    assertMistake(connector.run("wait", "--now"), 2, "--table, --group and --batch");
    assertMistake(connector.run("wait", "--table", "a.b"), 2, "--until or --now");
    assertMistake(
        connector.run("wait", "--group", "g", "--until", "2026-11-21T08:00Z"),
        2,
        "declares no such group");
    assertMistake(connector.run("repair", "--release", "x"), 2, "--reason is missing");
    assertMistake(connector.run("status", "--watch=0"), 2, "--watch");
  }

  @Test
  void secretsThatOnlyTheWorkerResolvesAreNamed() throws Exception {
    complete();
    String url = connector.config.put("store.url", "${file:/secrets:store}");
    assertMistake(connector.run("status"), 2, "store.url is ${file:/secrets:store}", "--set");
    assertThat(connector.run("status", "--set", "store.url=" + url).code()).isZero();
  }

  @Test
  void secretsAreResolvedByTheProvidersOfTheWorkersPropertiesOnly(@TempDir Path files)
      throws Exception {
    complete();
    Path secrets = files.resolve("secrets.properties");
    String provider = "org.apache.kafka.common.config.provider.FileConfigProvider";
    String url = connector.config.put("store.url", "${file:" + secrets + ":store}");
    connector.config.put("kafka.sasl.jaas.config", "${file:" + secrets + ":jaas}");
    Files.writeString(secrets, "store=" + url + "\njaas=x\n");
    Map<String, String> ofTheConfiguration =
        Map.of("config.providers", "file", "config.providers.file.class", provider);
    connector.config.putAll(ofTheConfiguration);
    Path worker = files.resolve("worker.properties");
    for (String properties : List.of("", "bootstrap.servers=kafka:9092\n")) {
      Files.writeString(worker, properties);
      assertMistake(
          connector.run("status", "--worker-properties", worker.toString()),
          2,
          "store.url is ${file:" + secrets + ":store}",
          "--worker-properties FILE or --set store.url=VALUE");
    }
    String providers = "config.providers=file\nconfig.providers.file.class=" + provider + "\n";
    Files.writeString(worker, providers);
    assertThat(connector.run("status", "--worker-properties", worker.toString()).code()).isZero();

    Path other = Files.createDirectory(files.resolve("other"));
    Files.writeString(
        worker, providers + "config.providers.file.param.allowed.paths=" + other + "\n");
    assertMistake(
        connector.run("status", "--worker-properties", worker.toString()),
        2,
        "store.url is ${file");
    Files.delete(secrets);
    Files.writeString(worker, providers);
    assertMistake(
        connector.run("status", "--worker-properties", worker.toString()),
        2,
        "--worker-properties " + worker + ": the secrets cannot be resolved: ");
    Files.delete(worker);
    assertMistake(
        connector.run("status", "--worker-properties", worker.toString()),
        2,
        "NoSuchFileException");
  }

  @Test
  void mistakesOfTheConfigurationAreNamed() {
    connector.config.putAll(Map.of("completeness.interval.ms", "often"));
    assertMistake(
        connector.run("status"),
        2,
        "Invalid value often for configuration completeness.interval.ms");
    connector.config.remove("completeness.interval.ms");
    connector.config.put("hadoop.conf.dir", "/no/such/directory");
    assertMistake(connector.run("status"), 2, "--set hadoop.conf.dir=DIRECTORY");
    connector.config.remove("hadoop.conf.dir");
    connector.config.put("hadoop.fs.hdfs.impl", "com.example.Evil");
    assertMistake(connector.run("status"), 2, "hadoop.fs.hdfs.impl is refused");
    connector.config.remove("hadoop.fs.hdfs.impl");
    connector.config.put("connector.class", "FileStreamSink");
    assertMistake(connector.run("status"), 2, "the connector is a FileStreamSink");
  }

  @Test
  void connectThatRefusesOrIsAwayIsTold() {
    connector.refusal = 401;
    assertMistake(connector.run("status"), 2, "http://user:password@host:8083");
    connector.refusal = 409;
    assertMistake(connector.run("status"), 4, "rebalances");
    connector.refusal = 418;
    assertMistake(connector.run("status"), 2, "does not answer as Kafka Connect");
    connector.close();
    assertMistake(connector.run("status"), 4, "Connect does not answer");
    assertThat(connector.run("status", "--stacktrace").err()).contains("\tat ");
  }
}
