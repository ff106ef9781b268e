package io.tidemark.connect.config;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What each key of Confluent's HDFS sink (2 and 3) means to this one. CONFIG.md has the same table,
 * and a test holds it there.
 */
final class HdfsSinkKeys {

  /** What becomes of a key. */
  enum Verdict {
    /** It means what it meant. */
    KEPT("kept"),
    /** It is taken, and changes nothing or is read as another key: a line in the log says so. */
    WARNED("taken with a warning"),
    /** It asks for something else than what would happen. */
    REFUSED("refused");

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
   * A key of theirs.
   *
   * @param name the key, or the beginning of keys, which ends in a dot
   * @param text what it means here, or what to set in its place
   * @param harmless values with which the key asks for what happens anyway; the last part of a
   *     class name is enough
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
  private static final String NOT_READ = "It is passed over: ";
  private static final String BYTES =
      NOT_READ
          + "records are landed as the bytes that they are, and no Connect data is made of them";
  private static final String LICENCE = NOT_READ + "Tidemark asks for no licence";
  private static final String KERBEROS = "Kerberos is not supported";

  private static final List<Key> KEYS =
      List.of(
          kept("store.url", "hdfs:// and file:// only"),
          warned("hdfs.url", "It is read as store.url. Set store.url"),
          kept("hadoop.conf.dir", ""),
          warned("hadoop.home", NOT_READ + "Hadoop's client is in the plugin"),
          kept("topics.dir", ""),
          kept("logs.dir", "the directory of the commit logs; a log of theirs is not read"),
          refused("directory.delim", "Directories are separated by '/'. Remove the key", "/"),
          refused(
              "file.delim", "Files are named topic+partition+first+last.avro. Remove the key", "+"),
          kept("filename.offset.zero.pad.width", "from 1"),
          refused("storage.class", "Tables are written to HDFS. Remove the key", "HdfsStorage"),
          refused("format.class", "Files are Avro's. Remove the key", "AvroFormat"),
          kept(
              "avro.codec",
              "snappy by default, there null; bzip2 and xz as there, zstandard besides"),
          refused("parquet.codec", "Files are Avro's. Set avro.codec"),
          kept(
              FLUSH_SIZE,
              "the records of a file, by topic-partition and Hive partition. There they are committed with each such file, "
                  + "here with their batch, which may have many files: batch.records and batch.interval.ms say when"),
          kept(
              ConnectorConfig.ROTATE_INTERVAL_MS,
              "the time from a file's first record to its last one, by topic-partition and Hive partition. There they are "
                  + "committed with each such file, here with their batch"),
          kept(
              ConnectorConfig.ROTATE_SCHEDULE_INTERVAL_MS,
              "up to a day; timezone is UTC by default"),
          refused(
              "append.late.data",
              "A record goes to the Hive partition of its time, however late it comes. Remove the key",
              "false"),
          kept(
              "topic.capture.groups.regex",
              "its groups stand in hive.database and hive.table.name as ${1}, ${2} …, not in topics.dir"),
          kept(
              "partitioner.class",
              "Unpartitioned by default, there DefaultPartitioner; FieldAndTimeBasedPartitioner besides. A class of one's own "
                  + "implements io.tidemark.connect.partitioner.Partitioner; one that was written for their sink is refused"),
          kept("partition.field.name", "with FieldPartitioner and FieldAndTimeBasedPartitioner"),
          kept("partition.duration.ms", ""),
          kept(
              "path.format",
              "with TimeBasedPartitioner and FieldAndTimeBasedPartitioner; refused with any other"),
          kept("locale", ""),
          kept("timezone", ""),
          kept(
              "timestamp.extractor",
              "Record by default, there Wallclock; classes of one's own are refused"),
          kept("timestamp.field", "with RecordField alone; refused with any other"),
          refused(
              "partitioner.max.open.files",
              "Set storage.open.files, and batch.hive.partitions for how many Hive partitions a batch may touch"),
          refused(
              "schema.compatibility",
              "Tables evolve by Avro's rules, without a mode. Remove this key"),
          warned("schema.cache.size", NOT_READ + "schema.registry.cache.size bounds the schemas"),
          warned(
              "schemas.cache.config", NOT_READ + "schema.registry.cache.size bounds the schemas"),
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
          kept("behavior.on.null.values", "dead-letter besides; write makes rows of keys"),
          kept("retry.backoff.ms", "the longest pause between two tries"),
          warned(
              "max.retries",
              "It is the registry client's number of rounds over its URLs. HDFS and the Metastore are tried until they answer"),
          kept("shutdown.timeout.ms", "how long a task tries to flush what it loses"),
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
                  + "completeness.events.topic for what has landed"));

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

  /** All of them, as the document lists them. */
  static List<Key> all() {
    return KEYS;
  }

  /** What a key of theirs means here; empty for a key that they do not have. */
  static Optional<Key> of(String key) {
    return KEYS.stream().filter(each -> each.isOf(key)).findFirst();
  }

  /** The refused keys of a configuration, with what to set in their place. */
  static Map<String, String> refused(Map<String, String> named) {
    Map<String, String> refused = new LinkedHashMap<>();
    for (Map.Entry<String, String> each : named.entrySet()) {
      of(each.getKey())
          .filter(key -> key.verdict() == Verdict.REFUSED && !key.isHarmless(each.getValue()))
          .ifPresent(key -> refused.put(each.getKey(), key.text() + "."));
    }
    return refused;
  }

  /** The keys of a configuration that are taken, and do not do what they say. */
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
   * What the keys that a configuration leaves out would have meant to the other sink, where it
   * looks as if it were written for that one: a key that only it knows, or one of its classes.
   */
  static Map<String, String> otherDefaults(Map<String, String> named) {
    if (!looksLikeTheirs(named)) {
      return Map.of();
    }
    Map<String, String> others = new LinkedHashMap<>();
    if (!named.containsKey(ConnectorConfig.PARTITIONER_CLASS)) {
      others.put(
          ConnectorConfig.PARTITIONER_CLASS,
          "is not set. With Confluent's HDFS sink that is a directory for each of Kafka's partitions, here it is a table "
              + "without Hive partitions. Set partitioner.class=Unpartitioned if that is meant, or DefaultPartitioner.");
    }
    if (!named.containsKey(ConnectorConfig.TIMESTAMP_EXTRACTOR)
        && PartitionerName.of(named.getOrDefault(ConnectorConfig.PARTITIONER_CLASS, ""))
            .filter(PartitionerName::isByTime)
            .isPresent()) {
      others.put(
          ConnectorConfig.TIMESTAMP_EXTRACTOR,
          "is not set. With Confluent's HDFS sink that is the time at which a record is written, here it is the record's "
              + "timestamp in Kafka. Set timestamp.extractor=Record if that is meant, or Wallclock.");
    }
    if (!named.containsKey(ConnectorConfig.AVRO_CODEC)) {
      others.put(
          ConnectorConfig.AVRO_CODEC,
          "is not set. With Confluent's HDFS sink files are not compressed, here they are by snappy. Set "
              + "avro.codec=snappy if that is meant, or null.");
    }
    return others;
  }

  private static boolean looksLikeTheirs(Map<String, String> named) {
    return named.keySet().stream()
            .anyMatch(
                key ->
                    key.equals(FLUSH_SIZE) // There it is required, and hardly a file is without it.
                        || of(key).filter(each -> each.verdict() != Verdict.KEPT).isPresent())
        || named.getOrDefault(ConnectorConfig.PARTITIONER_CLASS, "").startsWith("io.confluent.");
  }
}
