package io.tidemark.store.table;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.store.StoragePath;
import io.tidemark.store.TopicPartition;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Every topic name that Kafka accepts has its own directory, files and table. */
final class TopicNamesPropertyTest {
  private static final StoragePath TOPICS = new StoragePath("/topics");

  @Property
  void directoryIsVisibleAndInItsPlace(@ForAll("topics") String topic) {
    StoragePath root = TableLayout.of(TOPICS, topic).root();

    assertThat(root.parent()).isEqualTo(TOPICS);
    isVisibleName(root.name());
    isVisibleName(DataFile.name(new TopicPartition(topic, 7), 1, 0, Long.MAX_VALUE, 10, "avro"));
  }

  @Property
  void twoTopicsHaveTwoDirectories(@ForAll("topics") String one, @ForAll("topics") String other) {
    Assume.that(!one.equals(other));

    assertThat(TableLayout.of(TOPICS, one).root())
        .isNotEqualTo(TableLayout.of(TOPICS, other).root());
  }

  @Property
  void tableHasANameThatHiveTakes(@ForAll("topics") String topic) {
    assertThat(TableName.of("raw", topic).table()).matches("[a-z0-9_]{1,128}");
  }

  @Provide
  Arbitrary<String> topics() {
    return Arbitraries.strings()
        .withCharRange('a', 'z')
        .withCharRange('A', 'Z')
        .withCharRange('0', '9')
        .withChars("._-")
        .ofMinLength(1)
        .ofMaxLength(249)
        .filter(topic -> !topic.equals(".") && !topic.equals(".."));
  }

  private static void isVisibleName(String name) {
    assertThat(name).doesNotContain("/").doesNotStartWith("_").doesNotStartWith(".");
    assertThat(name.getBytes(UTF_8).length).isLessThanOrEqualTo(StoragePath.COMPONENT_MAX_BYTES);
  }
}
