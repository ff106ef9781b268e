package io.tidemark.store.table;

import io.tidemark.store.PutIfAbsent;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.JsonFormat;
import io.tidemark.store.log.LogRefusedException;
import io.tidemark.store.log.OperatorConsent;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ownership of a table: a file for each topic names the log directory whose connector lands the
 * topic in the table. In this class, "log" is the log directory. The file is put if absent, and
 * prevents a second log from landing the same records again. Thread-safe.
 *
 * <p>Example: {@code /topics/quotes/.tidemark/logs/quotes.json} contains {@code {"version": 1,
 * "uuid": "1b4e…", "logId": "stock-quotes", "logs": "hdfs://namenode:8020/logs/stock-quotes",
 * "clusterId": "MkU3…"}}. If another log gets the table, {@code quotes+2.json} is added.
 */
public final class TableOwner {
  private static final Logger LOG = LoggerFactory.getLogger(TableOwner.class);
  private static final JsonFormat<LogIdentity> FORMAT =
      JsonFormat.fixed("the log that owns the table", LogIdentity.class)
          .withoutCopy("The UUID that it must contain is in the log's identity.json.");

  // quotes.json, quotes+2.json
  private static final Pattern FILE =
      Pattern.compile("([A-Za-z0-9._-]{1,249})(?:\\+(\\d{1,9}))?\\.json");

  private final Storage storage;
  private final StoragePath root;
  private final StoragePath directory;
  private final PutIfAbsent files;

  public TableOwner(Storage storage, TableLayout layout) {
    this.storage = storage;
    this.root = layout.root();
    this.directory = layout.metadataDirectory().child("logs");
    this.files = new PutIfAbsent(storage, directory);
  }

  /** Makes a log the owner of a topic. Only an operator's consent replaces an owner. */
  public void own(String topic, LogIdentity log, OperatorConsent consent)
      throws IOException, LogRefusedException, CorruptLogException {
    List<StoredFile> before = storage.list(directory);
    ownOthers(topic, before, log, consent);
    int number = numbers(before).getOrDefault(topic, 0);
    boolean first = number == 0;
    if (first) {
      number = put(topic, 1, log);
    }
    number = own(topic, number, log, consent, Optional.empty());
    if (first) {
      // Another log may have become the owner of another topic meanwhile.
      ownOthers(topic, storage.list(directory), log, consent);
    }
    files.removeLeftovers(
        before, IntStream.rangeClosed(1, number).mapToObj(each -> fileName(topic, each)).toList());
  }

  /** Requires one log for all topics: only its ledger reports whether the table is complete. */
  private void ownOthers(
      String topic, List<StoredFile> listed, LogIdentity log, OperatorConsent consent)
      throws IOException, LogRefusedException, CorruptLogException {
    for (Map.Entry<String, Integer> other : numbers(listed).entrySet()) {
      if (!other.getKey().equals(topic)) {
        int number = own(other.getKey(), other.getValue(), log, consent, Optional.of(topic));
        LOG.trace("{}: {} is landed by the same log ({})", root, other.getKey(), number);
      }
    }
  }

  /** Returns the number of the file in effect; {@code besides} is the claimed topic, if another. */
  private int own(
      String topic, int present, LogIdentity log, OperatorConsent consent, Optional<String> besides)
      throws IOException, LogRefusedException, CorruptLogException {
    LogIdentity owner = read(topic, present);
    if (owner.uuid().equals(log.uuid())) {
      return present;
    }
    UUID step = step(topic, owner);
    if (!consent.agreesTo(step)) {
      throw besides.isPresent()
          ? shared(besides.get(), topic, present, owner, log, step)
          : owned(topic, present, owner, log.toString(), step);
    }
    int number = put(topic, present + 1, log);
    if (!read(topic, number).uuid().equals(log.uuid())) {
      throw new IOException(
          file(topic, number)
              + ": another task gave the table to another log directory at the same time");
    }
    LOG.warn(
        "{}: with the operator's consent {}, the log directory {} now lands the topic",
        file(topic, number),
        step,
        log.logs());
    return number;
  }

  /**
   * Fails if a file names a log that lands the topic in the table. Call this method if the claiming
   * log does not exist yet, so that the named log was removed. {@code newLog} is for the message.
   */
  public void requireNone(String topic, String newLog, OperatorConsent consent)
      throws IOException, LogRefusedException, CorruptLogException {
    int number = numbers(storage.list(directory)).getOrDefault(topic, 0);
    if (number > 0) {
      LogIdentity owner = read(topic, number);
      UUID step = step(topic, owner);
      if (!consent.agreesTo(step)) {
        throw owned(topic, number, owner, newLog + ", which is new,", step);
      }
    }
  }

  public Set<LogIdentity> owners() throws IOException, CorruptLogException {
    Set<LogIdentity> owners = new LinkedHashSet<>();
    for (Map.Entry<String, Integer> topic : numbers(storage.list(directory)).entrySet()) {
      owners.add(read(topic.getKey(), topic.getValue()));
    }
    return owners;
  }

  /** Returns the number of the file in effect for each topic. */
  private static SortedMap<String, Integer> numbers(List<StoredFile> listed) {
    SortedMap<String, Integer> numbers = new TreeMap<>();
    for (StoredFile file : listed) {
      Matcher name = FILE.matcher(file.path().name());
      if (name.matches()) {
        int number = name.group(2) == null ? 1 : Integer.parseInt(name.group(2));
        numbers.merge(name.group(1), number, Math::max);
      }
    }
    return numbers;
  }

  private UUID step(String topic, LogIdentity owner) {
    return OperatorConsent.step("table", root, topic, owner.uuid());
  }

  private LogRefusedException owned(
      String topic, int number, LogIdentity owner, String log, UUID step) {
    return new LogRefusedException(
        "%s%s: the topic %s is landed in this table by the log directory %s. So the log directory %s must not land it in this table: records would land twice, or not at all. %s If the former log directory was removed or recreated, restore it from a copy. If this file or the identity.json of that directory was damaged, restore that file. If that log directory is in use, use its connector, or give this connector another topics.dir and hive.table.name. Only if that log directory is permanently lost: stop the connector, move the table's .staging directory away, and set operator.consent=%s, which gives the table to this log directory. A new log begins at the offsets of the consumer group, or at Kafka's first offsets if the group has none. Move the files with later records away: their rows would be duplicated. To land all records that Kafka has, move all files of the table away and reset the group's offsets."
            .formatted(
                storage.location(),
                file(topic, number),
                topic,
                owner,
                log,
                StagingDirectories.REMOVED,
                step));
  }

  private LogRefusedException shared(
      String topic, String other, int number, LogIdentity owner, LogIdentity log, UUID step) {
    return new LogRefusedException(
        "%1$s%2$s: the topic %3$s is landed in this table by the log directory %4$s. So the log directory %5$s must not land topics such as %6$s in this table: only the ledger of one log directory can report that a table is complete. Land both topics with one connector, or name another table for %6$s. Only if the former log directory is permanently lost, set operator.consent=%7$s, which gives the table to this log directory."
            .formatted(storage.location(), file(other, number), other, owner, log, topic, step));
  }

  private int put(String topic, int number, LogIdentity log) throws IOException {
    files.put(fileName(topic, number), FORMAT.write(log));
    return number;
  }

  private static String fileName(String topic, int number) {
    return topic + (number == 1 ? "" : "+" + number) + ".json";
  }

  private StoragePath file(String topic, int number) {
    return directory.child(fileName(topic, number));
  }

  private LogIdentity read(String topic, int number) throws IOException, CorruptLogException {
    StoragePath file = file(topic, number);
    return FORMAT
        .find(storage, file)
        .orElseThrow(() -> new IOException(file + " was deleted while it was read"));
  }
}
