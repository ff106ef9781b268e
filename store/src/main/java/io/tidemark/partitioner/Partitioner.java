package io.tidemark.partitioner;

import java.util.List;
import java.util.Map;

/**
 * Divides the records of tables into Hive partitions. The setting {@code partitioner.class} names
 * the class. Its jar must be in the plugin's directory, next to the connector's own, on every
 * worker.
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
 * <p><b>The values must depend only on the record,</b> as {@link PartitionedRecord} returns it, and
 * on the settings. They must not depend on clocks, counters, random numbers, files or services.
 * After a crash records are read again, and a record must then get the same values. Otherwise rows
 * are neither lost nor duplicated, but the Hive partition of a record is unpredictable.
 *
 * <p>The class must have a public constructor without parameters. It need not be thread-safe: each
 * thread that lands records creates its own object. All objects get the same settings, and must
 * return the same columns and fields.
 */
public interface Partitioner {

  /**
   * Receives the settings, before any other call.
   *
   * @param settings the connector's keys that begin with {@code partitioner.config.}, without this
   *     prefix
   * @throws IllegalArgumentException a setting is wrong; the message must contain the setting and
   *     the cure
   */
  default void configure(Map<String, String> settings) {}

  /**
   * Returns the partition columns, in the order of the directories: at least one. A column has at
   * most 128 lower-case letters, digits and {@code _}, and begins with a letter. No field of the
   * table may have the same name. The columns never change during the table's life.
   */
  List<String> columns();

  /**
   * Returns the fields whose values are needed, as dotted paths if nested. Example: {@code
   * List.of("customer.id")}. Every record's schema must have them.
   */
  default List<String> fields() {
    return List.of();
  }

  /**
   * Returns the values of the columns for a record, in their order. An empty value becomes {@code
   * __HIVE_DEFAULT_PARTITION__}, as in Hive.
   *
   * @throws UnusableRecordException the record has no Hive partition. Any other exception stops the
   *     task
   */
  List<String> values(PartitionedRecord record) throws UnusableRecordException;
}
