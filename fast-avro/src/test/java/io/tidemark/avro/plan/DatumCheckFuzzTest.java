package io.tidemark.avro.plan;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Arbitrary bytes as datums that are checked and copied.
 *
 * <p>The first byte of the input selects a plan, the others are the datum.
 */
final class DatumCheckFuzzTest {
  private static final Map<Byte, TableReading> READINGS = new HashMap<>();

  @FuzzTest(maxDuration = "30s")
  void anyBytesAreRefusedOrReadAsAvroReadsThem(byte[] input) {
    if (input.length > 0) {
      READINGS
          .computeIfAbsent(input[0], number -> new TableReading(PlanSample.copying(number)))
          .read(Arrays.copyOfRange(input, 1, input.length));
    }
  }
}
