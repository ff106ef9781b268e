package io.tidemark.connect.config;

import io.tidemark.avro.file.BlockCodec;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.ValidString;

/** The keys of what lands: batches, files, Hive partitions and Hive. */
final class TableKeys {
  private TableKeys() {}

  static void define(ConfigGroups keys) {
    keys.group("Batches");
    keys.add(
        ConnectorConfig.BATCH_RECORDS,
        ConfigDef.Type.LONG,
        1_000_000L,
        Range.between(1, 1_000_000_000),
        Importance.HIGH,
        "Records of a flush, over all topic-partitions of a task. Each topic-partition's part of it is one batch.");
    keys.add(
        ConnectorConfig.BATCH_BYTES,
        ConfigDef.Type.LONG,
        4L << 30,
        Range.between(1, Long.MAX_VALUE),
        Importance.MEDIUM,
        "Bytes of a flush, as Kafka delivers them (uncompressed values).");
    keys.add(
        ConnectorConfig.BATCH_OFFSET_RANGES,
        ConfigDef.Type.INT,
        50_000,
        Range.between(1, 200_000),
        Importance.LOW,
        "Ranges of offsets in a batch that do not land, each listed in its log entry: gaps of transactions and of "
            + "compaction, tombstones that are left out, and dead letters. With so many the task flushes, which bounds "
            + "the entry to about a megabyte.");
    keys.add(
        ConnectorConfig.BATCH_INTERVAL_MS,
        ConfigDef.Type.LONG,
        600_000L,
        Range.between(100, 86_400_000),
        Importance.HIGH,
        "The longest that a record waits for its flush, in milliseconds since it came, whatever its own"
            + " timestamp says and however the clock is set.");
    keys.add(
        ConnectorConfig.ROTATE_SCHEDULE_INTERVAL_MS,
        ConfigDef.Type.LONG,
        -1L,
        Range.between(-1, 86_400_000),
        Importance.LOW,
        "The times of the day at which a task flushes besides, in milliseconds from one to the next: at midnight in"
            + " timezone, and at each multiple of it after that, by the worker's clock. -1 or 0: at none.");

    keys.group("Files");
    keys.add(
        ConnectorConfig.FLUSH_SIZE,
        ConfigDef.Type.LONG,
        0L,
        Range.between(0, 1_000_000_000),
        Importance.MEDIUM,
        "The records of a file: it ends with so many, and the next record of its topic-partition and Hive partition begins"
            + " another. The last file of a batch has fewer. It does not decide when records are committed: all files of a"
            + " batch are, together, when its flush is due. 0: no limit. A batch has at most batch.hive.partitions files,"
            + " and is flushed early when it comes near.");
    keys.add(
        ConnectorConfig.ROTATE_INTERVAL_MS,
        ConfigDef.Type.LONG,
        -1L,
        Range.between(-1, Long.MAX_VALUE),
        Importance.LOW,
        "The time that a file spans, in milliseconds: it ends before a record that is so much later than the file's first"
            + " one, by timestamp.extractor where the table is partitioned by time, else by the timestamps in Kafka. As"
            + " with flush.size, all files of a batch are committed together. -1 or 0: no limit.");
    keys.add(
        ConnectorConfig.FILE_SIZE_BYTES,
        ConfigDef.Type.LONG,
        0L,
        Range.between(0, Long.MAX_VALUE),
        Importance.MEDIUM,
        "The size of a file, in bytes: it ends when it has so many, and the next records of its topic-partition and Hive"
            + " partition begin another. It is looked at once for up to 4,096 records, so a file may be up to about 1 MiB"
            + " larger; the last file of a batch is smaller. Blocks that are not compressed yet count as they are. 0: no"
            + " limit.");
    keys.add(
        ConnectorConfig.AVRO_CODEC,
        ConfigDef.Type.STRING,
        ConnectorConfig.DEFAULT_CODEC,
        ValidString.in(BlockCodec.NAMES.toArray(String[]::new)),
        Importance.MEDIUM,
        "The codec of Avro files. Readers need Avro 1.9 or newer for zstandard, and org.tukaani:xz on their class path for "
            + "xz; Hive 4.0.1 reads all others as it is.");
    keys.add(
        ConnectorConfig.AVRO_CODEC_LEVEL,
        ConfigDef.Type.INT,
        null,
        null,
        Importance.LOW,
        "The codec's level: deflate 0 to 9 or -1 (6), zstandard -131072 to 22, bzip2 1 to 9, xz 0 to 9; a higher one "
            + "makes smaller files for more CPU. By default deflate -1, zstandard 3, bzip2 9, xz 6. null and snappy have "
            + "none.");
    keys.add(
        ConnectorConfig.AVRO_BLOCK_SIZE_BYTES,
        ConfigDef.Type.INT,
        64 << 10,
        Range.between(1 << 10, 64 << 20),
        Importance.LOW,
        "The size at which a block of an Avro file is complete, in bytes before compression.");

    keys.group("Hive partitions");
    keys.add(
        ConnectorConfig.PARTITIONER_CLASS,
        ConfigDef.Type.STRING,
        "Unpartitioned",
        ConfigForms.PARTITIONER,
        Importance.MEDIUM,
        "How a table is partitioned: Unpartitioned; DefaultPartitioner (partition=N, by Kafka's partition); "
            + "HourlyPartitioner; DailyPartitioner; TimeBasedPartitioner (which needs path.format and partition.duration.ms); "
            + "FieldPartitioner (which needs partition.field.name); FieldAndTimeBasedPartitioner (which needs all three: "
            + "fields, and time below them); or the full name of a class that implements "
            + "io.tidemark.connect.partitioner.Partitioner, whose jar is in the plugin's directory and which gets the keys "
            + "that begin with partitioner.config. Classes of io.confluent.connect are known by their last part.");
    keys.add(
        ConnectorConfig.PARTITION_FIELD_NAME,
        ConfigDef.Type.STRING,
        "",
        null,
        Importance.MEDIUM,
        "With FieldPartitioner and FieldAndTimeBasedPartitioner: the fields whose values are the Hive partition, separated by commas in the order of the "
            + "directories, dotted where they are nested: region,stop.line makes region=west/stop_line=U7. Strings, enums, "
            + "numbers, booleans, decimals, dates and timestamps; each value as Hive casts it to a string, the type of all "
            + "partition columns. Null and empty are __HIVE_DEFAULT_PARTITION__, as in Hive.");
    keys.add(
        ConnectorConfig.BATCH_HIVE_PARTITIONS,
        ConfigDef.Type.INT,
        5_000,
        Range.between(1, 1_000_000),
        Importance.LOW,
        "The most files of a batch: one for each Hive partition that it touches, and more with flush.size, "
            + "rotate.interval.ms and file.size.bytes. A batch that would need more ends there, and the rest follows in the next.");
    keys.add(
        ConnectorConfig.PATH_FORMAT,
        ConfigDef.Type.STRING,
        "",
        null,
        Importance.MEDIUM,
        "With TimeBasedPartitioner and FieldAndTimeBasedPartitioner: the Hive partition of a time, in Joda-Time's pattern letters, such as "
            + "'dt'=yyyy-MM-dd/'hour'=HH. YYYY is the year of era, as there, never the week year.");
    keys.add(
        ConnectorConfig.PARTITION_DURATION_MS,
        ConfigDef.Type.LONG,
        -1L,
        null,
        Importance.MEDIUM,
        "With TimeBasedPartitioner and FieldAndTimeBasedPartitioner: the length of a Hive partition, in milliseconds; times are rounded down to it.");
    keys.add(
        ConnectorConfig.LOCALE,
        ConfigDef.Type.STRING,
        "en-US",
        null,
        Importance.LOW,
        "The locale of path.format, such as en-US.");
    keys.add(
        ConnectorConfig.TIMEZONE,
        ConfigDef.Type.STRING,
        "UTC",
        null,
        Importance.MEDIUM,
        "The time zone of path.format and rotate.schedule.interval.ms, such as UTC or Europe/Berlin.");
    keys.add(
        ConnectorConfig.TIMESTAMP_EXTRACTOR,
        ConfigDef.Type.STRING,
        "Record",
        ConfigForms.TIMESTAMP_EXTRACTOR,
        Importance.MEDIUM,
        "The time that decides: Record (the record's timestamp in Kafka), RecordField (timestamp.field), or Wallclock (when "
            + "the task is given the record). With Wallclock a record that is read again after a failure may go to a later "
            + "Hive partition; docs/COMPLETENESS.md says what that means.");
    keys.add(
        ConnectorConfig.TIMESTAMP_FIELD,
        ConfigDef.Type.STRING,
        "timestamp",
        ConfigForms.NOT_BLANK,
        Importance.MEDIUM,
        "With RecordField: the field, dotted where it is nested: a long (milliseconds, or by its logical type), a date, "
            + "or a string in ISO-8601.");

    keys.group("Columns of Kafka");
    keys.add(
        ConnectorConfig.COLUMNS_KAFKA,
        ConfigDef.Type.STRING,
        "",
        ConfigForms.KAFKA_COLUMNS,
        Importance.LOW,
        "What of Kafka's a table has as columns, separated by commas: topic (string), partition (int), offset (bigint), "
            + "timestamp, key (binary) and headers (map<string,binary>). By default none. A table may get them later: its older "
            + "rows have null there. key needs key.converter, and headers need header.converter, to be the "
            + "ByteArrayConverter.");
    keys.add(
        ConnectorConfig.COLUMNS_KAFKA_PREFIX,
        ConfigDef.Type.STRING,
        "kafka_",
        ConfigForms.COLUMN_PREFIX,
        Importance.LOW,
        "What the names of these columns begin with, such as kafka_offset. No field of a record may have such a name. The "
            + "columns keep their names: with another prefix a table gets further ones.");
    keys.add(
        ConnectorConfig.COLUMNS_KEY_FORMAT,
        ConfigDef.Type.STRING,
        "avro",
        ValidString.in("avro", "string"),
        Importance.LOW,
        "What the keys are, with behavior.on.null.values=write: avro, with a schema id in front as values have it, or in the "
            + "header __key_schema_id; or string, a text in UTF-8. Of a key that is a record each field has a column, such as "
            + "kafka_key_id; of any other key there is kafka_key_value. kafka_deleted is true of a record without a value. "
            + "Needs key.converter to be the ByteArrayConverter.");

    keys.group("Routing");
    keys.add(
        ConnectorConfig.TOPIC_MAP,
        ConfigDef.Type.STRING,
        "",
        ConfigForms.NAME_MAP,
        Importance.MEDIUM,
        "Which topics land in which tables, as topic:table, separated by commas; a table is a name in hive.database, or "
            + "database.table. Several topics may land in one table, whose files lie in topics.dir/database+table. * stands for "
            + "all topics that are not named. Example: orders:sales.orders,orders-eu:sales.orders.");
    keys.add(
        ConnectorConfig.TOPIC_CAPTURES,
        ConfigDef.Type.STRING,
        "",
        ConfigForms.REGEX,
        Importance.MEDIUM,
        "A regular expression of Java for the whole name of a topic. Its groups stand in hive.database, hive.table.name and "
            + "the names of the maps as ${1}, ${2} …: with ([a-z]+)-([a-z]+)-.* and hive.table.name=${2} the topics "
            + "shop-orders-eu and shop-orders-us land in one table. A topic that it does not match, and that topic2table.map does "
            + "not name, has no table.");
    keys.add(
        ConnectorConfig.RECORD_MAP,
        ConfigDef.Type.STRING,
        "",
        ConfigForms.NAME_MAP,
        Importance.MEDIUM,
        "Which records land in which tables, as full name of the Avro record:table, separated by commas, for topics with "
            + "several record types; tables are named as in topic2table.map, ${topic} is the topic. * stands for all records that "
            + "are not named. Example: com.shop.OrderPlaced:placed,com.shop.OrderPaid:paid,*:${topic}_others. A topic that "
            + "topic2table.map names goes by that alone.");
    keys.add(
        ConnectorConfig.FIELD_NAME,
        ConfigDef.Type.STRING,
        "",
        null,
        Importance.MEDIUM,
        "The field whose value leads a record to its table, with field2table.map; dotted where it is nested. A string, an enum, "
            + "a number, a boolean, a decimal, a date or a timestamp, which is taken as the text that Hive casts it to.");
    keys.add(
        ConnectorConfig.FIELD_MAP,
        ConfigDef.Type.STRING,
        "",
        ConfigForms.NAME_MAP,
        Importance.MEDIUM,
        "Which values of field2table.field lead to which tables, as value:table, separated by commas; tables are named as in "
            + "topic2table.map. * stands for all values that are not named, and for null. Write \\: and \\, where a value has "
            + "them. All tables get the columns of all records of the topic. Example: eu:sales_eu,us:sales_us,*:sales_rest.");
    keys.add(
        ConnectorConfig.UNROUTED,
        ConfigDef.Type.STRING,
        "fail",
        ValidString.in("fail", "dead-letter"),
        Importance.MEDIUM,
        "What records do that no rule leads to a table: fail has their topic refused, as on.refusal says, and nothing is "
            + "passed over; dead-letter sends them to the dead letter topic.");

    keys.group("Hive");
    keys.add(
        ConnectorConfig.HIVE_INTEGRATION,
        ConfigDef.Type.BOOLEAN,
        false,
        null,
        Importance.HIGH,
        "Whether tables and Hive partitions are registered in the Hive Metastore.");
    keys.add(
        ConnectorConfig.HIVE_METASTORE_URIS,
        ConfigDef.Type.STRING,
        "",
        null,
        Importance.HIGH,
        "URIs of the Metastore, separated by commas, such as thrift://host:9083.");
    keys.add(
        ConnectorConfig.HIVE_DATABASE,
        ConfigDef.Type.STRING,
        "default",
        ConfigForms.HIVE_DATABASE,
        Importance.MEDIUM,
        "The Hive database; it is made where missing. ${1}, ${2} … are the groups of topic.capture.groups.regex.");
    keys.add(
        ConnectorConfig.HIVE_TABLE_NAME,
        ConfigDef.Type.STRING,
        "${topic}",
        ConfigForms.NOT_BLANK,
        Importance.MEDIUM,
        "The Hive table; ${topic} stands for the topic's name, with characters that Hive does not take as _, and ${1}, ${2} … for the "
            + "groups of topic.capture.groups.regex; a name of more than 128 characters is cut and ends in a hash.");
    keys.add(
        ConnectorConfig.HIVE_TABLE_LOCATION,
        ConfigDef.Type.STRING,
        "",
        ConfigForms.LOCATION_OR_EMPTY,
        Importance.MEDIUM,
        "The directory of a table's files, as an absolute path in the store, by default one below topics.dir. ${database} "
            + "and ${table} stand for the table's names in Hive, ${topic} for the topic, and ${1}, ${2} … for the groups of "
            + "topic.capture.groups.regex. Example: /warehouse/${database}.db/${table}. No two tables may have one directory, "
            + "nor one within another. It may not change once records have landed: what has landed stays where it is.");
    keys.add(
        ConnectorConfig.HIVE_TABLE_PROPERTIES,
        ConfigDef.Type.STRING,
        "",
        ConfigForms.HIVE_TABLE_PROPERTIES,
        Importance.LOW,
        "Properties of the tables in Hive, such as owner=sales,comment=orders\\, by day, with \\, for a comma in a value. They "
            + "are set when a table is made, and on a table that stands when a task begins to land in it. One that is taken "
            + "out here stays in Hive. At most 100, a name of 256 characters and a value of 4,000. Refused are names that say how "
            + "files are read, kept or removed, such as EXTERNAL, external.table.purge, transactional, storage_handler, "
            + "table_type, avro.schema.literal, skip.header.line.count, numRows, and all that begin with tidemark.");
    keys.add(
        ConnectorConfig.HIVE_REGISTRATION_BACKLOG,
        ConfigDef.Type.INT,
        10_000,
        Range.between(1, 1_000_000),
        Importance.LOW,
        "Files of published batches that may wait for the Metastore while it is away, about 1 KB of memory each; beyond, "
            + "the task pauses.");
  }
}
