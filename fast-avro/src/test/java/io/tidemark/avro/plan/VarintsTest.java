package io.tidemark.avro.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.avro.binary.ArrayEncoder;
import io.tidemark.avro.plan.step.Varints;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers are read and written as by Avro's encoder, also where no word is left in the array. */
final class VarintsTest {
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 8, 20})
  void numbersOfEachSizeAreWrittenAsByAvro(int left) {
    var random = new SplittableRandom(left);
    for (int i = 0; i < 64 * 100; i++) {
      long number = random.nextLong() >> (i % 64);
      byte[] encoded = encoded(number);
      var target = new byte[3 + encoded.length + left];

      int end = Varints.write(number, target, 3);

      assertThat(end).isEqualTo(3 + encoded.length);
      assertThat(Arrays.copyOfRange(target, 3, end)).isEqualTo(encoded);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 8, 20})
  void numbersOfEachSizeAreReadAsByAvro(int left) {
    var random = new SplittableRandom(left);
    for (int i = 0; i < 64 * 100; i++) {
      long number = random.nextLong() >> (i % 64);
      byte[] encoded = encoded(number);
      var source = new byte[3 + encoded.length + left];
      random.nextBytes(source);
      System.arraycopy(encoded, 0, source, 3, encoded.length);

      assertThat(Varints.read(source, 3)).isEqualTo(number);
      assertThat(Varints.end(source, 3)).isEqualTo(3 + encoded.length);
    }
  }

  private static byte[] encoded(long number) {
    var encoder = new ArrayEncoder(10);
    encoder.writeLong(number);
    return encoder.toByteArray();
  }
}
