package io.tidemark.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PrintableTextTest {

  @ParameterizedTest
  @ValueSource(strings = {"", "XETR", "../a=b/%2e", "Zürich", "東京", "😀", "é", "a b\\c\"'"})
  void whatPeopleWriteStaysAsItIs(String text) {
    assertThat(PrintableText.of(text)).isSameAs(text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "000a | \\n",
        "000d | \\r",
        "0009 | \\t",
        "0000 | \\u0000",
        "001b | \\u001b",
        "007f | \\u007f",
        "0085 | \\u0085",
        "009b | \\u009b",
        "00ad | \\u00ad",
        "061c | \\u061c",
        "200b | \\u200b",
        "200f | \\u200f",
        "2028 | \\u2028",
        "2029 | \\u2029",
        "202e | \\u202e",
        "2066 | \\u2066",
        "feff | \\ufeff",
        "ffff | \\uffff",
        "d83d | \\ud83d",
        "de00 | \\ude00",
        "e0001 | \\udb40\\udc01"
      })
  void whatWouldNotStandInALineIsEscaped(String codePoint, String escaped) {
    String character = Character.toString(Integer.parseInt(codePoint, 16));

    assertThat(PrintableText.of("a" + character + "b")).isEqualTo("a" + escaped + "b");
  }

  @Test
  void longTextIsCutAndNeverInsideOfACharacter() {
    assertThat(PrintableText.of("x".repeat(100))).hasSize(100).doesNotContain("…");
    assertThat(PrintableText.of("x".repeat(101))).isEqualTo("x".repeat(100) + "…");
    assertThat(PrintableText.of("x😀y", 2)).isEqualTo("x…");
    assertThat(PrintableText.of("x\u0000y", 6)).isEqualTo("x…");
    assertThat(PrintableText.of("\n".repeat(100), 10)).isEqualTo("\\n".repeat(5) + "…");
    assertThat(PrintableText.line("x".repeat(20_000))).hasSize(10_001);
  }

  @Test
  void failureSaysAllThatItSaidInLinesOfItsOwn() {
    var cause = new IllegalStateException("cause\nERROR forged");
    var failure = new IOException("failure\u2028ERROR forged", cause);
    failure.addSuppressed(new IOException("suppressed\u001b[2J"));
    cause.initCause(failure); // some libraries do

    var printable = PrintableFailure.of(failure);

    var printed = new StringWriter();
    printable.printStackTrace(new PrintWriter(printed));
    assertThat(printable).hasMessage("failure\\u2028ERROR forged");
    assertThat(printable.getStackTrace()).isEqualTo(failure.getStackTrace());
    assertThat(printed.toString())
        .startsWith("java.io.IOException: failure\\u2028ERROR forged")
        .contains("Caused by: java.lang.IllegalStateException: cause\\nERROR forged")
        .contains("Suppressed: java.io.IOException: suppressed\\u001b[2J")
        .doesNotContainPattern("(?m)^ERROR forged");
  }

  /** A message continues after it, with a full stop of its own. */
  @Test
  void failureWithinAMessageEndsWithoutAFullStop() {
    assertThat(PrintableText.of(new IOException("It is too large.")))
        .isEqualTo("java.io.IOException: It is too large");
  }

  @Test
  void messageWithinALineEndsWithOneFullStop() {
    assertThat(PrintableText.line("quotes-0: the request timed out.. Until then it waits.."))
        .isEqualTo("quotes-0: the request timed out. Until then it waits.");
    assertThat(PrintableText.line("of 1..2, in ../a, in .. B and on... Then"))
        .isEqualTo("of 1..2, in ../a, in .. B and on... Then");
  }

  @Test
  void failureWithoutAMessageIsItsClass() {
    assertThat(PrintableText.of(new IllegalStateException()))
        .isEqualTo("java.lang.IllegalStateException");
    assertThat(PrintableText.messageOf(new IllegalStateException())).isEqualTo("null");
  }
}
