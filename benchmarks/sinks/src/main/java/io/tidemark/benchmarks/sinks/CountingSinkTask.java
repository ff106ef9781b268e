package io.tidemark.benchmarks.sinks;

import java.util.Collection;
import java.util.Map;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTask;

/** Counts records and their bytes, and nothing else. */
public final class CountingSinkTask extends SinkTask {
  private long records;
  private long bytes;

  @Override
  public void start(Map<String, String> settings) {}

  @Override
  public void put(Collection<SinkRecord> delivered) {
    for (SinkRecord record : delivered) {
      records++;
      bytes += ((byte[]) record.value()).length;
    }
  }

  @Override
  public void stop() {
    System.out.println("counted " + records + " records, " + bytes + " bytes");
  }

  @Override
  public String version() {
    return "benchmark";
  }
}
