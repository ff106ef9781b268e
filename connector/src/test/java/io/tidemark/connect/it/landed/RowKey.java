package io.tidemark.connect.it.landed;

import java.util.Comparator;
import org.apache.avro.generic.GenericRecord;

/**
 * The identity of a row in Kafka, in a file and in Hive: the topic-partition to which it was
 * produced, and its number there.
 */
public record RowKey(int source, long seq) implements Comparable<RowKey> {

  private static final Comparator<RowKey> ORDER =
      Comparator.comparingInt(RowKey::source).thenComparingLong(RowKey::seq);

  public static RowKey of(GenericRecord row) {
    return new RowKey((Integer) row.get("source"), (Long) row.get("seq"));
  }

  @Override
  public int compareTo(RowKey other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return source + ":" + seq;
  }
}
