package io.tidemark.avro.plan;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Arbitrary bytes as datums of an earlier schema.
 *
 * <p>The first byte of the input selects a plan, the others are the datum.
 */
final class RewritingFuzzTest {
  private static final Map<Byte, Optional<TableReading>> READINGS = new HashMap<>();

  @FuzzTest(maxDuration = "30s")
  void anyBytesAreRefusedOrBecomeWhatAvroReads(byte[] input) {
    if (input.length > 0) {
      READINGS
          .computeIfAbsent(input[0], number -> PlanSample.evolving(number).map(TableReading::new))
          .ifPresent(reading -> reading.read(Arrays.copyOfRange(input, 1, input.length)));
    }
  }
}
