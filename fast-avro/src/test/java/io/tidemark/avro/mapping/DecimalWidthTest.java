package io.tidemark.avro.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.avro.plan.step.Conversion;
import io.tidemark.avro.plan.step.Varints;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Decimals of each width keep their number, also where no word is left in the arrays. */
final class DecimalWidthTest {
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 8, 15, 16, 20})
  void decimalsOfBytesKeepTheirNumberInFixed(int left) {
    var random = new SplittableRandom(left);
    for (int i = 0; i < 40_000; i++) {
      var digits = new byte[1 + i % 20];
      random.nextBytes(digits);
      Arrays.fill(digits, 0, random.nextInt(digits.length), (byte) -(i & 1));
      int size = random.nextInt(1, 20);
      var source = new byte[10 + digits.length + left];
      int from = Varints.write(digits.length, source, 2);
      System.arraycopy(digits, 0, source, from, digits.length);
      var target = new byte[3 + size + left];

      int end = DecimalWidth.bytesToFixed(size).convert(source, 2, from + digits.length, target, 3);

      var number = new BigInteger(digits);
      if (number.bitLength() / 8 + 1 > size) {
        assertThat(end).isEqualTo(Conversion.REFUSED);
      } else {
        assertThat(end).isEqualTo(3 + size);
        assertThat(new BigInteger(target, 3, size)).isEqualTo(number);
      }
    }
  }
}
