package io.tidemark.connect.partitioner;

import java.util.List;
import java.util.Map;

/**
 * Divides the records of tables over Hive partitions. {@code partitioner.class} names the class.
 * Its jar lies in the plugin's directory, beside the connector's own, on every worker.
 *
 * <p>Example: sixteen Hive partitions by a customer's id, {@code customers=0} to {@code
 * customers=15}
 *
 * <pre>{@code
 * public final class ByCustomer implements Partitioner {
 *   public List<String> columns() {
 *     return List.of("customers");
 *   }
 *
 *   public List<String> fields() {
 *     return List.of("customer.id");
 *   }
 *
 *   public List<String> values(PartitionedRecord record) throws UnusableRecordException {
 *     String id = record.field(0).orElseThrow(() -> new UnusableRecordException("no customer.id"));
 *     return List.of(String.valueOf(Math.floorMod(id.hashCode(), 16)));
 *   }
 * }
 * }</pre>
 *
 * <p><b>The values must follow from the record alone:</b> from what {@link PartitionedRecord} shows
 * of it and from the settings. They must not follow from clocks, counters, random numbers, files or
 * services. After a crash records are read again, and a record must then go where it went before.
 * Else rows are neither lost nor doubled, but nobody can tell in which Hive partition a record is.
 *
 * <p>A class has a public constructor without parameters. Each thread that lands records makes an
 * object of its own and calls it from this thread alone. What it makes of the settings is the same
 * in all of them.
 */
public interface Partitioner {

  /**
   * Takes the settings, before any other call.
   *
   * @param settings the connector's keys that begin with {@code partitioner.config.}, without that
   * @throws IllegalArgumentException a setting is wrong; the message says which, and what to write
   */
  default void configure(Map<String, String> settings) {}

  /**
   * The partition columns, in the order of the directories: at least one. A column has at most 128
   * lower-case letters, digits and {@code _}, with a letter in front, and no field of the table has
   * its name. They stay for the table's whole life.
   */
  List<String> columns();

  /**
   * The fields whose values are wanted, dotted where they are nested. Example: {@code
   * List.of("customer.id")}. Every record's schema must have them.
   */
  default List<String> fields() {
    return List.of();
  }

  /**
   * The values of the columns for a record, in their order. An empty value becomes {@code
   * __HIVE_DEFAULT_PARTITION__}, as in Hive.
   *
   * @throws UnusableRecordException the record belongs nowhere. Any other exception stops the task
   */
  List<String> values(PartitionedRecord record) throws UnusableRecordException;
}
