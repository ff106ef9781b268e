package io.tidemark.connect.config;

import io.tidemark.avro.file.BlockCodec;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.ValidString;

/** The keys of tables: batches, files, Hive partitions, routing and Hive. */
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
        "Number of records at which a task flushes, over all its topic-partitions. The records of "
            + "one topic-partition in a flush are one batch.");
    keys.add(
        ConnectorConfig.BATCH_BYTES,
        ConfigDef.Type.LONG,
        4L << 30,
        Range.between(1, Long.MAX_VALUE),
        Importance.MEDIUM,
        "A task flushes at this number of bytes of uncompressed record values. The default is 4 "
            + "GiB.");
    keys.add(
        ConnectorConfig.BATCH_OFFSET_RANGES,
        ConfigDef.Type.INT,
        50_000,
        Range.between(1, 200_000),
        Importance.LOW,
        "A task flushes when a batch has this number of offset ranges without landed records. Such "
            + "a range consists of transaction markers, compacted records or skipped tombstones; "
            + "each dead letter is a range, too. The log entry lists each range, so this limit "
            + "bounds the entry to about a megabyte.");
    keys.add(
        ConnectorConfig.BATCH_INTERVAL_MS,
        ConfigDef.Type.LONG,
        600_000L,
        Range.between(100, 86_400_000),
        Importance.HIGH,
        "Maximum time that a record waits for its flush, in milliseconds since it reached the "
            + "task. The record's timestamp and changes of the system clock have no effect on it.");
    keys.add(
        ConnectorConfig.ROTATE_SCHEDULE_INTERVAL_MS,
        ConfigDef.Type.LONG,
        -1L,
        Range.between(-1, 86_400_000),
        Importance.LOW,
        "Interval of additional flushes, in milliseconds: at midnight in timezone and at each "
            + "multiple of the interval after it, by the worker's clock. -1 or 0: none.");

    keys.group("Files");
    keys.add(
        ConnectorConfig.FLUSH_SIZE,
        ConfigDef.Type.LONG,
        0L,
        Range.between(0, 1_000_000_000),
        Importance.MEDIUM,
        "Maximum number of records in a file, for each topic-partition and Hive partition. The "
            + "next record begins another file; the last file of a batch has fewer records. This "
            + "key does not control commits: all files of a batch are committed together, at the "
            + "flush. 0: no limit. batch.hive.partitions limits the files of a batch, so with a "
            + "small flush.size a batch ends earlier.");
    keys.add(
        ConnectorConfig.ROTATE_INTERVAL_MS,
        ConfigDef.Type.LONG,
        -1L,
        Range.between(-1, Long.MAX_VALUE),
        Importance.LOW,
        "Time span of a file, in milliseconds. A record begins another file if its time is at "
            + "least this span later than the time of the file's first record. The time is that of "
            + "timestamp.extractor if the table is partitioned by time; otherwise it is the "
            + "record's timestamp in Kafka. As with flush.size, all files of a batch are committed "
            + "together. -1 or 0: no limit.");
    keys.add(
        ConnectorConfig.FILE_SIZE_BYTES,
        ConfigDef.Type.LONG,
        0L,
        Range.between(0, Long.MAX_VALUE),
        Importance.MEDIUM,
        "Size at which a file ends, in bytes. The next record of its topic-partition and Hive "
            + "partition begins another file. The size is checked after each chunk, which has at "
            + "most 4,096 records or 1 MiB. So a file may be about 1 MiB larger. The last file of "
            + "a batch is smaller. Blocks that are not compressed yet count with their "
            + "uncompressed size. 0: no limit.");
    keys.add(
        ConnectorConfig.AVRO_CODEC,
        ConfigDef.Type.STRING,
        ConnectorConfig.DEFAULT_CODEC,
        ValidString.in(BlockCodec.NAMES.toArray(String[]::new)),
        Importance.MEDIUM,
        "Codec of the Avro files. Readers need Avro 1.9 or newer for zstandard, and org.tukaani:xz "
            + "on their class path for xz. Hive 4.0.1 reads all codecs except xz without further "
            + "jars.");
    keys.add(
        ConnectorConfig.AVRO_CODEC_LEVEL,
        ConfigDef.Type.INT,
        null,
        null,
        Importance.LOW,
        "Level of the codec; a higher level makes smaller files for more CPU. deflate: 0 to 9, or "
            + "-1, which means 6; default -1. zstandard: -131072 to 22; default 3. bzip2: 1 to 9; "
            + "default 9. xz: 0 to 9; default 6. null and snappy have no levels.");
    keys.add(
        ConnectorConfig.AVRO_BLOCK_SIZE_BYTES,
        ConfigDef.Type.INT,
        64 << 10,
        Range.between(1 << 10, 64 << 20),
        Importance.LOW,
        "Size at which a block of an Avro file is complete, in bytes before compression.");

    keys.group("Hive partitions");
    keys.add(
        ConnectorConfig.PARTITIONER_CLASS,
        ConfigDef.Type.STRING,
        "Unpartitioned",
        ConfigForms.PARTITIONER,
        Importance.MEDIUM,
        "Partitioner of the tables. Unpartitioned: no Hive partitions. DefaultPartitioner: "
            + "partition=N, by Kafka's partition number. HourlyPartitioner, DailyPartitioner: by "
            + "time. TimeBasedPartitioner: by time; needs path.format and partition.duration.ms. "
            + "FieldPartitioner: by fields; needs partition.field.name. "
            + "FieldAndTimeBasedPartitioner: by fields, and within them by time; needs all three "
            + "keys. Or the full name of a class that implements "
            + "io.tidemark.partitioner.Partitioner: its jar is in the plugin's directory, "
            + "and it gets the keys that begin with partitioner.config. If a class name begins "
            + "with io.confluent.connect, only its simple name is used.");
    keys.add(
        ConnectorConfig.PARTITION_FIELD_NAME,
        ConfigDef.Type.STRING,
        "",
        null,
        Importance.MEDIUM,
        "With FieldPartitioner and FieldAndTimeBasedPartitioner: the fields whose values name the "
            + "Hive partition, separated by commas, in the order of the directories. Write nested "
            + "fields with dots: region,stop.line makes region=west/stop_line=U7. Fields may be "
            + "strings, enums, numbers, booleans, decimals, dates and timestamps. All partition "
            + "columns are strings, and a value is converted as Hive casts it to a string. Null "
            + "and the empty string become __HIVE_DEFAULT_PARTITION__, as in Hive.");
    keys.add(
        ConnectorConfig.BATCH_HIVE_PARTITIONS,
        ConfigDef.Type.INT,
        5_000,
        Range.between(1, 1_000_000),
        Importance.LOW,
        "Maximum number of files in a batch. A batch has one file for each of its Hive partitions, "
            + "and more with flush.size, rotate.interval.ms and file.size.bytes. A batch that "
            + "would need more files ends early, and the next batch has the other records.");
    keys.add(
        ConnectorConfig.PATH_FORMAT,
        ConfigDef.Type.STRING,
        "",
        null,
        Importance.MEDIUM,
        "With TimeBasedPartitioner and FieldAndTimeBasedPartitioner: the Hive partition of a time, "
            + "in Joda-Time's pattern letters, such as 'dt'=yyyy-MM-dd/'hour'=HH. As in Joda-Time, "
            + "YYYY is the year of era, not the week year.");
    keys.add(
        ConnectorConfig.PARTITION_DURATION_MS,
        ConfigDef.Type.LONG,
        -1L,
        null,
        Importance.MEDIUM,
        "With TimeBasedPartitioner and FieldAndTimeBasedPartitioner: the length of a Hive "
            + "partition, in milliseconds. Times are rounded down to a multiple of this length.");
    keys.add(
        ConnectorConfig.LOCALE,
        ConfigDef.Type.STRING,
        "en-US",
        null,
        Importance.LOW,
        "Locale of path.format, such as en-US.");
    keys.add(
        ConnectorConfig.TIMEZONE,
        ConfigDef.Type.STRING,
        "UTC",
        null,
        Importance.MEDIUM,
        "Time zone of path.format and rotate.schedule.interval.ms, such as UTC or Europe/Berlin.");
    keys.add(
        ConnectorConfig.TIMESTAMP_EXTRACTOR,
        ConfigDef.Type.STRING,
        "Record",
        ConfigForms.TIMESTAMP_EXTRACTOR,
        Importance.MEDIUM,
        "Time that selects the Hive partition of a record: Record (the record's timestamp in "
            + "Kafka), RecordField (timestamp.field), or Wallclock (the time at which the task "
            + "receives the record). With Wallclock a record that is read again after a failure "
            + "may go to a later Hive partition; docs/COMPLETENESS.md describes the consequences. "
            + "The keys topic.… and table.… of single topics and tables cannot change Record or "
            + "RecordField to Wallclock. If the connector has Wallclock, they cannot set Record, "
            + "but they can set RecordField.");
    keys.add(
        ConnectorConfig.TIMESTAMP_FIELD,
        ConfigDef.Type.STRING,
        "timestamp",
        ConfigForms.NOT_BLANK,
        Importance.MEDIUM,
        "With RecordField: the field that contains the time; write a nested field with dots. It is "
            + "a long (milliseconds, or by its logical type), a date, or a string in ISO 8601.");

    keys.group("Columns of Kafka");
    keys.add(
        ConnectorConfig.COLUMNS_KAFKA,
        ConfigDef.Type.STRING,
        "",
        ConfigForms.KAFKA_COLUMNS,
        Importance.LOW,
        "Kafka metadata that become columns of the tables, separated by commas: topic (string), "
            + "partition (int), offset (bigint), timestamp, key (binary) and headers "
            + "(map<string,binary>). By default none. Columns can be added later; older rows then "
            + "have null. For key, set key.converter to the ByteArrayConverter. For headers, set "
            + "header.converter to the ByteArrayConverter.");
    keys.add(
        ConnectorConfig.COLUMNS_KAFKA_PREFIX,
        ConfigDef.Type.STRING,
        "kafka_",
        ConfigForms.COLUMN_PREFIX,
        Importance.LOW,
        "Prefix of the names of these columns: kafka_ makes kafka_offset. No field of a record may "
            + "have such a name. Existing columns are not renamed: after a change of the prefix a "
            + "table gets additional columns.");
    keys.add(
        ConnectorConfig.COLUMNS_KEY_FORMAT,
        ConfigDef.Type.STRING,
        "avro",
        ValidString.in("avro", "string"),
        Importance.LOW,
        "Format of the keys, with behavior.on.null.values=write. avro: with a schema id in front, "
            + "as values have it, or in the header __key_schema_id. string: a text in UTF-8. If "
            + "the key is a record, each of its fields becomes a column, such as kafka_key_id. Any "
            + "other key becomes the column kafka_key_value. The column kafka_deleted is true for "
            + "a record without a value. Requires key.converter to be the ByteArrayConverter.");

    keys.group("Routing");
    keys.add(
        ConnectorConfig.TOPIC_MAP,
        ConfigDef.Type.STRING,
        "",
        ConfigForms.NAME_MAP,
        Importance.MEDIUM,
        "Map of topics to tables. Format: TOPIC:TABLE, separated by commas. TABLE is a name in "
            + "hive.database, or database.table. Several topics may land in one table, whose files "
            + "are in topics.dir/database+table. Their records must have the same full name in "
            + "Avro, because a table accepts only one. The topic * means all topics that are not "
            + "named. Example: orders:sales.orders,orders-eu:sales.orders.");
    keys.add(
        ConnectorConfig.TOPIC_CAPTURES,
        ConfigDef.Type.STRING,
        "",
        ConfigForms.REGEX,
        Importance.MEDIUM,
        "Regular expression of Java for the whole name of a topic. Its groups can be used as ${1}, "
            + "${2} … in hive.database, hive.table.name, hive.table.location and the tables of the "
            + "maps. Example: with ([a-z]+)-([a-z]+)-.* and hive.table.name=${2} the topics "
            + "shop-orders-eu and shop-orders-us land in one table. A topic has no table if the "
            + "expression does not match it and topic2table.map does not name it.");
    keys.add(
        ConnectorConfig.RECORD_MAP,
        ConfigDef.Type.STRING,
        "",
        ConfigForms.NAME_MAP,
        Importance.MEDIUM,
        "Map of records to tables, for topics with several record types. Format: RECORD:TABLE, "
            + "separated by commas. RECORD is the full name of an Avro record; * means all records "
            + "that are not named. A table accepts records of only one name, so use * only if the "
            + "other records have one name. Tables are named as in topic2table.map; ${topic} is "
            + "the topic's name. Example: "
            + "com.shop.OrderPlaced:placed,com.shop.OrderPaid:paid,*:${topic}_others. This map has "
            + "no effect on topics that topic2table.map names.");
    keys.add(
        ConnectorConfig.FIELD_NAME,
        ConfigDef.Type.STRING,
        "",
        null,
        Importance.MEDIUM,
        "Field whose value selects the table of a record, with field2table.map; write a nested "
            + "field with dots. It is a string, an enum, a number, a boolean, a decimal, a date or "
            + "a timestamp. Its value is compared as the text to which Hive casts it.");
    keys.add(
        ConnectorConfig.FIELD_MAP,
        ConfigDef.Type.STRING,
        "",
        ConfigForms.NAME_MAP,
        Importance.MEDIUM,
        "Map of values of field2table.field to tables. Format: VALUE:TABLE, separated by commas. "
            + "In VALUE, write \\: for a colon and \\, for a comma; * means null and all values "
            + "that are not named. Tables are named as in topic2table.map. Each of these tables "
            + "has the same columns: those of all record schemas of the topic. Example: "
            + "eu:sales_eu,us:sales_us,*:sales_rest.");
    keys.add(
        ConnectorConfig.UNROUTED,
        ConfigDef.Type.STRING,
        "fail",
        ValidString.in("fail", "dead-letter"),
        Importance.MEDIUM,
        "Handling of records for which no rule names a table. fail: on.refusal applies to their "
            + "topic, and no record is skipped. dead-letter: they are sent to the dead letter "
            + "topic.");

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
        "Hive database of the tables; it is created if it does not exist. ${1}, ${2} … are the "
            + "groups of topic.capture.groups.regex.");
    keys.add(
        ConnectorConfig.HIVE_TABLE_NAME,
        ConfigDef.Type.STRING,
        "${topic}",
        ConfigForms.NOT_BLANK,
        Importance.MEDIUM,
        "Name of the Hive table. ${topic} is the topic's name, with _ in place of characters that "
            + "Hive does not allow. ${1}, ${2} … are the groups of topic.capture.groups.regex. A "
            + "name of more than 128 characters is cut and ends in a hash.");
    keys.add(
        ConnectorConfig.HIVE_TABLE_LOCATION,
        ConfigDef.Type.STRING,
        "",
        ConfigForms.LOCATION_OR_EMPTY,
        Importance.MEDIUM,
        "Directory of a table's files, as an absolute path in the store; by default a directory in "
            + "topics.dir. ${database} and ${table} are the table's names in Hive, ${topic} is the "
            + "topic's name, and ${1}, ${2} … are the groups of topic.capture.groups.regex. "
            + "Example: /warehouse/${database}.db/${table}. The directories of any two tables must "
            + "be separate, and neither may be in the other. Do not change this key once records "
            + "have landed: existing files are not moved.");
    keys.add(
        ConnectorConfig.HIVE_TABLE_PROPERTIES,
        ConfigDef.Type.STRING,
        "",
        ConfigForms.HIVE_TABLE_PROPERTIES,
        Importance.LOW,
        "Properties of the tables in Hive. Format: NAME=VALUE, separated by commas; write \\, for "
            + "a comma in a value. Example: owner=sales,comment=orders\\, by day. They are set "
            + "when a table is created, and on an existing table when a task begins to land "
            + "records in it. A property that is removed from this key remains in Hive. At most "
            + "100 properties; a name has at most 256 characters, a value at most 4,000. "
            + "Properties that control how files are read, kept or deleted are rejected, such as "
            + "EXTERNAL, external.table.purge, transactional, storage_handler, table_type, "
            + "avro.schema.literal, skip.header.line.count, numRows, and all that begin with "
            + "tidemark.");
    keys.add(
        ConnectorConfig.HIVE_REGISTRATION_BACKLOG,
        ConfigDef.Type.INT,
        10_000,
        Range.between(1, 1_000_000),
        Importance.LOW,
        "Maximum number of published files that wait for their registration while the Metastore is "
            + "unavailable; each file needs about 1 KB of memory. Above this number the task is "
            + "paused.");
  }
}
