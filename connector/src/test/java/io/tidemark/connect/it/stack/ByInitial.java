package io.tidemark.connect.it.stack;

import io.tidemark.partitioner.PartitionedRecord;
import io.tidemark.partitioner.Partitioner;
import io.tidemark.partitioner.UnusableRecordException;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A partitioner class of a user, in the plugin's directory next to the connector's jars. It
 * partitions by the first letters of a city and by the parity of the timestamp's minute.
 */
public final class ByInitial implements Partitioner {
  private int letters;

  @Override
  public void configure(Map<String, String> settings) {
    letters = Integer.parseInt(settings.getOrDefault("letters", "1"));
  }

  @Override
  public List<String> columns() {
    return List.of("initial", "minute");
  }

  @Override
  public List<String> fields() {
    return List.of("city");
  }

  @Override
  public List<String> values(PartitionedRecord record) throws UnusableRecordException {
    return List.of(
        initial(record.field(0).orElse("none"), letters),
        record.timestamp() / 60_000 % 2 == 0 ? "even" : "odd");
  }

  /** The Hive partition of a city. */
  public static String initial(String city, int letters) {
    return city.substring(0, Math.min(letters, city.length())).toLowerCase(Locale.ROOT);
  }
}
