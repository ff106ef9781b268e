package io.tidemark.connect.config;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Lists the keys of Confluent's HDFS sink (versions 2 and 3), with their meaning in this connector.
 * CONFIG.md contains the same table; ConfigDocumentTest compares the two.
 */
final class HdfsSinkKeys {

  /** The handling of a key by validation. */
  enum Verdict {
    /** The key has the same meaning. */
    KEPT("kept"),
    /** The key is ignored or read as another key, and a warning is logged. */
    WARNED("accepted with a warning"),
    /** The key requests a behaviour that this connector does not have. */
    REFUSED("rejected");

    private final String shown;

    Verdict(String shown) {
      this.shown = shown;
    }

    @Override
    public String toString() {
      return shown;
    }
  }

  /**
   * A key of Confluent's sink.
   *
   * @param name the key; or a prefix of keys, which ends in a dot
   * @param text the key's meaning in this connector, or the key to set instead
   * @param harmless values of a rejected key that are accepted, because they request this
   *     connector's behaviour; for a class name the last part is enough
   */
  record Key(String name, Verdict verdict, String text, Set<String> harmless) {

    Key {
      harmless = Set.copyOf(harmless);
    }

    private boolean isOf(String key) {
      return name.endsWith(".") ? key.startsWith(name) : key.equals(name);
    }

    private boolean isHarmless(String value) {
      String trimmed = value.trim();
      return harmless.contains(trimmed)
          || harmless.contains(trimmed.substring(trimmed.lastIndexOf('.') + 1));
    }
  }

  private static final String FLUSH_SIZE = ConnectorConfig.FLUSH_SIZE;
  private static final String NOT_READ = "Ignored: ";
  private static final String BYTES =
      NOT_READ + "records are landed as raw bytes, and never converted to Connect data";
  private static final String LICENCE = NOT_READ + "Tidemark needs no licence";
  private static final String KERBEROS = "Kerberos is not supported";

  private static final List<Key> KEYS =
      List.of(
          kept("store.url", "hdfs:// and file:// only"),
          warned("hdfs.url", "Read as store.url. Set store.url"),
          kept("hadoop.conf.dir", ""),
          warned("hadoop.home", NOT_READ + "Hadoop's client is in the plugin"),
          kept("topics.dir", ""),
          kept(
              "logs.dir",
              "the directory of the commit logs; logs of Confluent's sink are not read"),
          refused("directory.delim", "Directories are separated by '/'. Remove the key", "/"),
          refused(
              "file.delim",
              "Files are named TOPIC+PARTITION+gGENERATION+FIRST+LAST.avro. Remove the key",
              "+"),
          kept("filename.offset.zero.pad.width", "from 1"),
          refused("storage.class", "Tables are written to HDFS. Remove the key", "HdfsStorage"),
          refused("format.class", "Files are always Avro files. Remove the key", "AvroFormat"),
          kept(
              "avro.codec",
              "snappy by default (Confluent's default: null); bzip2 and xz as in Confluent's sink, zstandard in addition"),
          refused("parquet.codec", "Files are always Avro files. Set avro.codec"),
          kept(
              FLUSH_SIZE,
              "the records of a file, by topic-partition and Hive partition. Confluent's sink "
                  + "commits each time such a file is complete. Tidemark commits all files of a "
                  + "batch together; batch.records and batch.interval.ms control when"),
          kept(
              ConnectorConfig.ROTATE_INTERVAL_MS,
              "the time from a file's first record to its last one, by topic-partition and Hive "
                  + "partition. Confluent's sink commits each time such a file is complete, "
                  + "Tidemark commits the whole batch"),
          kept(
              ConnectorConfig.ROTATE_SCHEDULE_INTERVAL_MS,
              "up to a day; timezone is UTC by default"),
          refused(
              "append.late.data",
              "A record goes to the Hive partition of its time, however late it arrives. Remove the key",
              "false"),
          kept(
              "topic.capture.groups.regex",
              "its groups can be used as ${1}, ${2} … in hive.database, hive.table.name, "
                  + "hive.table.location and the tables of the maps, not in topics.dir"),
          kept(
              "partitioner.class",
              "Unpartitioned by default (Confluent's default: DefaultPartitioner); FieldAndTimeBasedPartitioner in addition. A "
                  + "user's class implements io.tidemark.partitioner.Partitioner; classes for Confluent's sink are rejected"),
          kept("partition.field.name", "with FieldPartitioner and FieldAndTimeBasedPartitioner"),
          kept("partition.duration.ms", ""),
          kept(
              "path.format",
              "with TimeBasedPartitioner and FieldAndTimeBasedPartitioner; rejected with any other"),
          kept("locale", ""),
          kept("timezone", ""),
          kept(
              "timestamp.extractor",
              "Record by default (Confluent's default: Wallclock); users' classes are rejected"),
          kept("timestamp.field", "with RecordField only; rejected with any other"),
          refused(
              "partitioner.max.open.files",
              "Set storage.open.files, and batch.hive.partitions to limit the Hive partitions of a batch"),
          refused(
              "schema.compatibility",
              "Tables evolve by Avro's rules, without a mode. Remove this key"),
          warned("schema.cache.size", NOT_READ + "schema.registry.cache.size limits the schemas"),
          warned(
              "schemas.cache.config", NOT_READ + "schema.registry.cache.size limits the schemas"),
          warned("enhanced.avro.schema.support", BYTES),
          warned("connect.meta.data", BYTES),
          warned("allow.optional.map.keys", BYTES),
          warned("flatten.singleton.unions", BYTES),
          warned("generalized.sum.type.support", BYTES),
          warned("ignore.default.for.nullables", BYTES),
          warned("discard.type.doc.default", BYTES),
          warned("scrub.invalid.names", BYTES),
          kept("hive.integration", ""),
          kept("hive.metastore.uris", ""),
          refused(
              "hive.conf.dir",
              "hive-site.xml is not read. Set hive.metastore.uris, and hadoop.conf.dir for HDFS"),
          warned("hive.home", NOT_READ + "the Metastore's client is in the plugin"),
          kept("hive.database", ""),
          kept("hive.table.name", ""),
          refused(
              "hive.logical.types.enabled",
              "Columns always have the types that docs/READERS.md lists. Remove the key",
              "true"),
          kept(
              "behavior.on.null.values",
              "dead-letter in addition; and write, which lands tombstones as rows with the key's "
                  + "columns"),
          kept("retry.backoff.ms", "the maximum pause between two attempts"),
          warned(
              "max.retries",
              "Accepted for the registry's client only: the number of further rounds over its "
                  + "URLs, after the first round. HDFS and the Metastore are retried until they "
                  + "respond"),
          kept(
              "shutdown.timeout.ms",
              "the maximum time for the last flush of a topic-partition that is revoked from a "
                  + "task"),
          refused("hdfs.authentication.kerberos", KERBEROS, "false"),
          refused("connect.hdfs.principal", KERBEROS, ""),
          refused("connect.hdfs.keytab", KERBEROS, ""),
          refused("hdfs.namenode.principal", KERBEROS, ""),
          warned("kerberos.ticket.renew.period.ms", NOT_READ + "Kerberos is not supported"),
          warned("confluent.license", LICENCE),
          warned("confluent.topic.", LICENCE),
          refused(
              "reporter.",
              "Results are not reported to topics. Set errors.deadletterqueue.topic.name for bad records, and "
                  + "completeness.events.topic for events about landed batches"));

  private HdfsSinkKeys() {}

  private static Key kept(String name, String text) {
    return new Key(name, Verdict.KEPT, text, Set.of());
  }

  private static Key warned(String name, String text) {
    return new Key(name, Verdict.WARNED, text, Set.of());
  }

  private static Key refused(String name, String text, String... harmless) {
    return new Key(name, Verdict.REFUSED, text, Set.copyOf(Arrays.asList(harmless)));
  }

  /** Returns all keys, in the order of CONFIG.md. */
  static List<Key> all() {
    return KEYS;
  }

  /** Returns the entry of a key; empty if Confluent's sink has no such key. */
  static Optional<Key> of(String key) {
    return KEYS.stream().filter(each -> each.isOf(key)).findFirst();
  }

  /** Returns the rejected keys of a configuration, each with the error text. */
  static Map<String, String> refused(Map<String, String> named) {
    Map<String, String> refused = new LinkedHashMap<>();
    for (Map.Entry<String, String> each : named.entrySet()) {
      of(each.getKey())
          .filter(key -> key.verdict() == Verdict.REFUSED && !key.isHarmless(each.getValue()))
          .ifPresent(key -> refused.put(each.getKey(), key.text() + "."));
    }
    return refused;
  }

  /** Returns a warning for each key of a configuration that is ignored or read as another key. */
  static List<String> warnings(Map<String, String> named) {
    List<String> warnings = new ArrayList<>();
    for (String each : named.keySet()) {
      of(each)
          .filter(key -> key.verdict() == Verdict.WARNED)
          .ifPresent(key -> warnings.add("%s: %s.".formatted(each, key.text())));
    }
    return warnings;
  }

  /**
   * Returns a text for each absent key whose default differs from that of Confluent's sink. Empty
   * unless the configuration contains a key or a class that only Confluent's sink has.
   */
  static Map<String, String> otherDefaults(Map<String, String> named) {
    if (!looksLikeTheirs(named)) {
      return Map.of();
    }
    Map<String, String> others = new LinkedHashMap<>();
    if (!named.containsKey(ConnectorConfig.PARTITIONER_CLASS)) {
      others.put(
          ConnectorConfig.PARTITIONER_CLASS,
          "is not set. Confluent's HDFS sink then makes a directory for each of Kafka's partitions, Tidemark a table "
              + "without Hive partitions. Set partitioner.class=Unpartitioned if you want that, or DefaultPartitioner.");
    }
    if (!named.containsKey(ConnectorConfig.TIMESTAMP_EXTRACTOR)
        && PartitionerName.of(named.getOrDefault(ConnectorConfig.PARTITIONER_CLASS, ""))
            .filter(PartitionerName::isByTime)
            .isPresent()) {
      others.put(
          ConnectorConfig.TIMESTAMP_EXTRACTOR,
          "is not set. Confluent's HDFS sink then uses the time at which a record is written, Tidemark the record's "
              + "timestamp in Kafka. Set timestamp.extractor=Record if you want that, or Wallclock.");
    }
    if (!named.containsKey(ConnectorConfig.AVRO_CODEC)) {
      others.put(
          ConnectorConfig.AVRO_CODEC,
          "is not set. Confluent's HDFS sink then does not compress files, Tidemark uses snappy. Set "
              + "avro.codec=snappy if you want that, or null.");
    }
    return others;
  }

  private static boolean looksLikeTheirs(Map<String, String> named) {
    return named.keySet().stream()
            .anyMatch(
                key ->
                    key.equals(FLUSH_SIZE) // Required by Confluent's sink.
                        || of(key).filter(each -> each.verdict() != Verdict.KEPT).isPresent())
        || named.getOrDefault(ConnectorConfig.PARTITIONER_CLASS, "").startsWith("io.confluent.");
  }
}
