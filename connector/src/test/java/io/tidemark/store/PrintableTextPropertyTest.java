package io.tidemark.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

class PrintableTextPropertyTest {
  private static final Pattern UNPRINTABLE =
      Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Cn}\\p{Zl}\\p{Zp}]");

  @Property
  void everyTextIsPrintableThenAndNoLongerThanItMayBe(
      @ForAll("texts") String text, @ForAll @IntRange(min = 0, max = 40) int mostChars) {
    String shown = PrintableText.of(text, mostChars);

    assertThat(UNPRINTABLE.matcher(shown).find()).isFalse();
    assertThat(shown.length()).isLessThanOrEqualTo(mostChars + 1);
    assertThat(PrintableText.of(shown, mostChars + 1)).isEqualTo(shown);
  }

  @Property
  void textThatIsPrintableAndShortStaysAsItIs(@ForAll("texts") String text) {
    boolean kept = PrintableText.of(text).equals(text);

    assertThat(kept).isEqualTo(!UNPRINTABLE.matcher(text).find());
  }

  /** Random UTF-16 units, many of them of the kinds that are escaped. */
  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.strings()
        .withChars("ab\n\r\t\u0000\u001b\u0085\u2028\u2029\u202e\u200b\ud83d\ude00\ufeff")
        .all()
        .ofMaxLength(60);
  }
}
