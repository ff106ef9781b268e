package io.tidemark.registry.confluent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.junit.jupiter.api.Test;

final class SubjectNameStrategyTest {
  private static final Schema ORDER =
      SchemaBuilder.record("io.example.Order").fields().requiredLong("id").endRecord();

  @Test
  void subjectIsNamedAfterTopicOrRecordOrBoth() {
    assertThat(SubjectNameStrategy.TOPIC_NAME.subject("orders", false, ORDER))
        .isEqualTo("orders-value");
    assertThat(SubjectNameStrategy.TOPIC_NAME.subject("orders", true, ORDER))
        .isEqualTo("orders-key");
    assertThat(SubjectNameStrategy.RECORD_NAME.subject("orders", false, ORDER))
        .isEqualTo("io.example.Order");
    assertThat(SubjectNameStrategy.TOPIC_RECORD_NAME.subject("orders", true, ORDER))
        .isEqualTo("orders-io.example.Order");
  }

  @Test
  void schemaWithoutANameHasOnlyItsTopic() {
    Schema text = Schema.create(Schema.Type.STRING);
    assertThat(SubjectNameStrategy.TOPIC_NAME.subject("orders", false, text))
        .isEqualTo("orders-value");
    assertThatThrownBy(() -> SubjectNameStrategy.RECORD_NAME.subject("orders", false, text))
        .hasMessageContaining("of type string. Use TopicNameStrategy");
  }

  @Test
  void vendorsClassNamesAreRead() {
    assertThat(
            SubjectNameStrategy.parse("io.confluent.kafka.serializers.subject.RecordNameStrategy"))
        .isEqualTo(SubjectNameStrategy.RECORD_NAME);
    assertThat(SubjectNameStrategy.parse("TopicRecordNameStrategy"))
        .isEqualTo(SubjectNameStrategy.TOPIC_RECORD_NAME);
    assertThatThrownBy(() -> SubjectNameStrategy.parse("MyStrategy"))
        .hasMessage(
            "\"MyStrategy\" is not one of TopicNameStrategy, RecordNameStrategy,"
                + " TopicRecordNameStrategy.");
  }
}
