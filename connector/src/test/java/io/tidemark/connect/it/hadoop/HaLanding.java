package io.tidemark.connect.it.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.faults.FaultCount;
import io.tidemark.connect.hdfs.HadoopUser;
import io.tidemark.connect.hdfs.HdfsConnection;
import io.tidemark.connect.pipeline.LandedRows;
import io.tidemark.connect.pipeline.OneSchema;
import io.tidemark.connect.pipeline.Quotes;
import io.tidemark.connect.pipeline.TestTask;
import io.tidemark.stack.Hdfs;
import io.tidemark.stack.NameNode;
import io.tidemark.stack.Polling;
import io.tidemark.store.FaultyStorage;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.batch.OffsetRange;
import io.tidemark.store.partition.PartitionSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * A task that lands a topic on the HA stack, with the connector's own defaults of HDFS's client,
 * while the active name node fails at a chosen call. Then another task continues. Used by one
 * thread.
 */
final class HaLanding implements AutoCloseable {
  private static final StoragePath TABLE = new StoragePath("/topics/quotes");
  private static final int RECORDS = 240;
  private static final int BATCH_RECORDS = 40;
  private static final int RETAINED_ENTRIES = 1;
  private static final Duration RETURNS_AFTER = Duration.ofSeconds(15);
  private static final Duration SEEN_WITHIN = Duration.ofSeconds(60);

  /** The calls of a batch, as {@link FaultyStorage} names them. */
  enum Step {
    /** A data file is created and not yet written. */
    WRITE("create /topics/quotes/\\.staging/.*\\.avro", 2),
    /** The temporary file of the claim is written. */
    CLAIM("rename /logs/quotes/quotes/0/0{19}1\\.json", 1),
    /** The temporary file of a batch's entry is written. */
    APPEND("rename /logs/quotes/quotes/0/\\d{20}\\.json", 3),
    /** A batch is committed, and its first file is not published. */
    PUBLISH("rename /topics/quotes/[^/.]*\\.avro", 2),
    /** A checkpoint is written under a temporary name. */
    FOLD("rename /logs/quotes/quotes/0/\\d{20}\\.checkpoint\\.json", 1),
    /** The checkpoint exists, and the entries that it replaces are being deleted. */
    CLEAN_UP("delete /logs/quotes/quotes/0/\\d{20}\\.json", 1);

    private final String call;
    private final int occurrence;

    Step(String call, int occurrence) {
      this.call = call;
      this.occurrence = occurrence;
    }
  }

  /** What happens to the active name node at a call. */
  enum Outage {
    /** An operator makes the other one active before the call. */
    FAIL_OVER,
    /** It is killed before the call, and the other one becomes active. */
    KILL,
    /** It hangs when it gets the call; the other one becomes active; later the first one wakes. */
    HANG,
    /** The call takes effect, and then it is killed before its answer arrives. */
    LOSE_ANSWER,
    /** It is killed as soon as it has acknowledged the call; the other one becomes active. */
    ACKNOWLEDGE,
    /**
     * It and the data node lose their power before the call, with all data that was not forced to
     * the disk; the other one becomes active, and the data node starts again.
     */
    LOSE_POWER
  }

  private final HaStack stack;
  private final Hdfs hdfs;
  private final List<NameNodeProxy> proxies = new ArrayList<>();
  private final Quotes quotes = new Quotes();
  private final URI url;
  private final Storage direct;
  private final FaultyStorage faulty;
  private final List<Throwable> failures = new ArrayList<>();
  private CompletableFuture<Void> later = CompletableFuture.completedFuture(null);

  HaLanding(HaStack stack) throws IOException {
    this(stack, Map.of());
  }

  /** Lands with additional settings of HDFS's client. */
  HaLanding(HaStack stack, Map<String, String> more) throws IOException {
    this.stack = stack;
    hdfs = stack.hdfs();
    url = URI.create(stack.uri() + "/landing-" + System.nanoTime());
    Map<String, String> settings = new HashMap<>(hdfs.clientSettings());
    settings.putAll(more);
    direct = open(settings);
    for (NameNode node : hdfs.nameNodes()) {
      NameNodeProxy proxy = new NameNodeProxy(node);
      proxies.add(proxy);
      settings.put("dfs.namenode.rpc-address.ns1." + node.id(), proxy.address());
    }
    faulty = new FaultyStorage(open(settings));
  }

  private Storage open(Map<String, String> settings) throws IOException {
    return new HdfsConnection(url, Optional.empty(), settings, HadoopUser.OF_THE_PROCESS).open();
  }

  /** Lands records during an outage, and more of them after it, and counts the rows. */
  void lands(Step step, Outage outage) throws Exception {
    AtomicInteger calls = new AtomicInteger();
    Predicate<String> hook =
        call -> {
          if (call.matches(step.call) && calls.incrementAndGet() == step.occurrence) {
            begin(outage, new StoragePath(call.substring(call.indexOf(' ') + 1)));
          }
          return false;
        };
    if (outage == Outage.ACKNOWLEDGE) {
      faulty.failAfter(hook);
    } else {
      faulty.failBefore(hook);
    }
    land(faulty);
    assertThat(calls).as("calls at which the name node failed").hasValueGreaterThan(0);
    later.get(2, TimeUnit.MINUTES);
    // The client of another worker may still read from a former active name node that woke. That
    // one stops at the first change.
    direct.makeDirectories(new StoragePath("/after"));
    land(direct);
    assertThat(failures).isEmpty();
    verify(step + "-" + outage);
  }

  /**
   * A task begins while all this comes together: the active name node is suspended, answers of the
   * other one are lost, and a block of the log's newest entry is corrupted until a while after both
   * answer. The task waits, and continues by itself.
   */
  void landsDespiteAPauseACutAndRot() throws Exception {
    land(faulty);
    List<StoragePath> known = entries();
    Path block = hdfs.fileOfBlock(blockOf(known.get(known.size() - 1)));
    byte[] sound = Files.readAllBytes(block);
    byte[] rotten = sound.clone();
    rotten[rotten.length / 2] ^= 1;
    Files.write(block, rotten);
    NameNode suspended = hdfs.suspendActive();
    NameNode other = hdfs.otherThan(suspended);
    proxyOf(other).loseAnswers();
    later =
        inBackground(
            () -> {
              hdfs.activate(other);
              TimeUnit.MILLISECONDS.sleep(RETURNS_AFTER.toMillis());
              proxyOf(other).cut();
              suspended.process().resume();
              TimeUnit.MILLISECONDS.sleep(RETURNS_AFTER.toMillis());
              assertThat(entries()).as("the log without its rotten entry").isEqualTo(known);
              Files.write(block, sound);
            });
    land(faulty);
    assertThat(later).isDone();
    direct.makeDirectories(new StoragePath("/after"));
    land(direct);
    assertThat(failures).isEmpty();
    verify("PAUSE-CUT-ROT");
  }

  private List<StoragePath> entries() throws IOException {
    return direct.list(Quotes.LOG).stream()
        .map(StoredFile::path)
        .filter(file -> file.name().matches("\\d{20}\\.json"))
        .toList();
  }

  private long blockOf(StoragePath file) throws IOException {
    try (DistributedFileSystem files =
        (DistributedFileSystem) stack.newFileSystem(stack.configuration(Map.of()))) {
      return files
          .getClient()
          .getLocatedBlocks(url.getPath() + file.value(), 0)
          .get(0)
          .getBlock()
          .getBlockId();
    }
  }

  private NameNodeProxy proxyOf(NameNode node) {
    return proxies.stream().filter(each -> each.nameNode().equals(node)).findFirst().orElseThrow();
  }

  /** Lands records without an outage, with two tasks after each other, and counts the rows. */
  void lands(String name) throws Exception {
    land(faulty);
    land(direct);
    verify(name);
  }

  private void land(Storage storage) throws IOException {
    quotes.produce(RECORDS);
    try (TestTask task =
        new TestTask(
            quotes.topic,
            storage,
            new OneSchema(Quotes.SCHEMA, Quotes.SCHEMA_ID),
            PartitionSpec.NONE,
            Optional.empty(),
            BATCH_RECORDS,
            RETAINED_ENTRIES)) {
      task.open(0);
      task.pollUntilLanded(0);
    }
  }

  private void begin(Outage outage, StoragePath file) {
    try {
      switch (outage) {
        // A task that ends interrupts this thread, but must not interrupt the failover.
        case FAIL_OVER -> {
          later = inBackground(hdfs::failOver);
          later.join();
        }
        case LOSE_POWER -> {
          later =
              inBackground(
                  () -> {
                    NameNode killed = hdfs.killActive();
                    List<Path> unused = hdfs.losePowerOfDataNode();
                    hdfs.activate(hdfs.otherThan(killed));
                  });
          later.join();
        }
        case KILL, ACKNOWLEDGE -> {
          later = inBackground(() -> hdfs.activate(hdfs.otherThan(hdfs.killActive())));
          later.join();
        }
        case HANG -> {
          NameNode hanging = hdfs.suspendActive();
          later =
              inBackground(
                  () -> {
                    hdfs.activate(hdfs.otherThan(hanging));
                    // The call waits in the connection of the former active name node.
                    TimeUnit.MILLISECONDS.sleep(RETURNS_AFTER.toMillis());
                    hanging.process().resume();
                  });
        }
        case LOSE_ANSWER -> {
          NameNode active = hdfs.active();
          NameNodeProxy proxy = proxyOf(active);
          proxy.loseAnswers();
          boolean before = direct.find(file).isPresent();
          later =
              inBackground(
                  () -> {
                    Polling.until(
                        "the call has taken effect",
                        SEEN_WITHIN,
                        () ->
                            isThere(file) == before
                                ? Optional.of("not yet: " + file)
                                : Optional.empty());
                    hdfs.killActive();
                    hdfs.activate(hdfs.otherThan(active));
                    proxy.cut();
                  });
        }
      }
    } catch (IOException | RuntimeException e) {
      failures.add(e);
    }
  }

  private boolean isThere(StoragePath file) {
    try {
      return direct.find(file).isPresent();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private interface Work {
    void run() throws Exception;
  }

  private CompletableFuture<Void> inBackground(Work work) {
    Executor ownThread = task -> new Thread(task, "outage").start();
    return CompletableFuture.runAsync(
        () -> {
          try {
            work.run();
          } catch (Exception | AssertionError e) {
            failures.add(e);
          }
        },
        ownThread);
  }

  private void verify(String name) throws Exception {
    List<String> rows = LandedRows.keys(direct, TABLE);
    List<String> lost = new ArrayList<>(quotes.produced);
    List<String> doubled = new ArrayList<>(rows);
    rows.forEach(lost::remove);
    quotes.produced.forEach(doubled::remove);
    new FaultCount("real-faults-ha-" + name, 1, lost.size(), doubled.size()).report();
    assertThat(lost).as("lost").isEmpty();
    assertThat(doubled).as("doubled").isEmpty();
    assertThat(LandedRows.staged(direct, TABLE)).as("staged files that are left").isEmpty();
    long next = -1;
    for (var batch : LandedRows.batches(direct, Quotes.LOG)) {
      OffsetRange range = batch.range();
      if (next >= 0) {
        assertThat(range.first()).isEqualTo(next);
      }
      next = range.next();
    }
    assertThat(next).isEqualTo(quotes.produced.size());
  }

  @Override
  public void close() throws IOException {
    proxies.forEach(NameNodeProxy::close);
    faulty.close();
    direct.close();
  }
}
