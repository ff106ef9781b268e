package io.tidemark.benchmarks.articles.avrobenchmark;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.benchmarks.registry.RegistryHostProcess;
import java.util.Arrays;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.Test;

class TestCaseTest {

  @Test
  void everyCaseDoesItsWork() throws Exception {
    try (RegistryHostProcess host = RegistryHostProcess.start()) {
      for (TestCase testCase : TestCase.all()) {
        long done = testCase.preparation().pass(host.url()).getAsLong();

        // The article's lines with a new encoder leave every record in the encoder's buffer.
        boolean lost =
            testCase.group().equals(EncoderCases.AS_WRITTEN)
                && testCase.name().equals(EncoderCases.NEW);
        assertThat(done > 0).as(testCase.toString()).isNotEqualTo(lost);
      }
    }
  }

  @Test
  void noTwoCasesHaveOneName() {
    assertThat(TestCase.all().stream().map(TestCase::toString)).doesNotHaveDuplicates();
  }

  @Test
  void theArticlesFiguresStandBesideBothContendersOfACase() {
    List<TestCase> figured =
        TestCase.all().stream().filter(testCase -> testCase.article().isPresent()).toList();

    // 8 buffered and 4 direct decoders of two contenders each, and 2 encoders.
    assertThat(figured).hasSize(26);
  }

  @Test
  void everyRegistryCaseHasBothContendersExceptKafkasSerializers() {
    List<TestCase> cases = RegistryCases.all();

    assertThat(named(cases, Codec.STOCK))
        .filteredOn(name -> !name.contains("Kafka's"))
        .containsExactlyElementsOf(named(cases, Codec.OURS));
  }

  private static List<String> named(List<TestCase> cases, String contender) {
    return cases.stream()
        .filter(testCase -> testCase.contender().equals(contender))
        .map(testCase -> testCase.group() + ": " + testCase.name())
        .toList();
  }

  @Test
  void theArticlesLinesWithAReusedEncoderCopyAllRecordsBeforeEach() throws Exception {
    Schema schema = Codec.user().writerSchema();
    GenericRecord[] three = Arrays.copyOf(Codec.users(), 3);
    byte[][] datums = Codec.datums();

    long bytes = EncoderCases.asWritten(Codec.writer(Codec.STOCK, schema), three, true).getAsLong();

    // Nothing after the first record, the first one after the second, two after the third.
    assertThat(bytes).isEqualTo(2L * datums[0].length + datums[1].length);
  }
}
