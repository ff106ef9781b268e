package io.tidemark.store.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.tidemark.avro.plan.PlanInterpreter;
import io.tidemark.avro.plan.Planner;
import io.tidemark.avro.plan.TableDatum;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.AvroTypeException;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.util.RandomData;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Types whose namespace changes, or whose alias is the other name, in any order of arrival. */
final class RenamedTypesTest {
  private static final int DATUMS = 50;

  private static final String CHANGE =
      "{'type':'record','name':'Envelope','namespace':'%1$s','fields':["
          + "{'name':'before','type':['null',{'type':'record','name':'Value','fields':["
          + "{'name':'id','type':'long'},{'name':'state','type':{'type':'enum','name':'State','symbols':['NEW','PAID']}}]}],'default':null},"
          + "{'name':'after','type':['null','Value'],'default':null},"
          + "{'name':'source','type':{'type':'record','name':'Source','namespace':'io.debezium.connector.mysql','fields':[{'name':'db','type':'string'}]}},"
          + "{'name':'op','type':'string'}]}";

  static Stream<Arguments> renamed() {
    return Stream.of(
        arguments(
            Named.of("the record", record("a.R", "{'name':'x','type':'int'}")),
            record("b.R", "{'name':'x','type':'int'}")),
        arguments(Named.of("a nested record", row(nested("a.N"))), row(nested("b.N"))),
        arguments(
            Named.of("in an array", row("{'type':'array','items':" + nested("a.N") + "}")),
            row("{'type':'array','items':" + nested("b.N") + "}")),
        arguments(
            Named.of("in a map", row("{'type':'map','values':" + nested("a.N") + "}")),
            row("{'type':'map','values':" + nested("b.N") + "}")),
        arguments(
            Named.of("a nullable record", row("['null'," + nested("a.N") + "]")),
            row("['null'," + nested("b.N") + "]")),
        arguments(
            Named.of("a nullable enum", row("['null'," + enumOf("a.E") + "]")),
            row("['null'," + enumOf("b.E") + "]")),
        arguments(
            Named.of("a nullable fixed", row("['null'," + fixed("a.F") + "]")),
            row("['null'," + fixed("b.F") + "]")),
        arguments(
            Named.of(
                "in a union of several types",
                row(
                    "['null','string',"
                        + enumOf("a.E")
                        + ","
                        + nested("a.N")
                        + ","
                        + fixed("a.F")
                        + "]")),
            row(
                "['null',"
                    + fixed("b.F")
                    + ","
                    + nested("b.N")
                    + ",'string',"
                    + enumOf("b.E")
                    + "]")),
        arguments(
            Named.of(
                "one name in two namespaces",
                row("[" + nested("a.x.N") + "," + nested("a.y.N") + "]")),
            row("[" + nested("b.x.N") + "," + nested("b.y.N") + "]")),
        arguments(
            Named.of(
                "two types become one", record("R", f("p", nested("a.N")), f("q", nested("b.N")))),
            record("R", f("p", nested("c.N")), f("q", "'c.N'"))),
        arguments(
            Named.of("one type becomes two", record("R", f("p", nested("c.N")), f("q", "'c.N'"))),
            record("R", f("p", nested("a.N")), f("q", nested("b.N")))),
        arguments(
            Named.of("a record in itself", record("a.R", f("next", "['null','R']"))),
            record("b.R", f("next", "['null','R']"))),
        arguments(
            Named.of("without a namespace", record("R", f("n", nested("N")))),
            record("b.R", f("n", nested("b.N")))),
        arguments(
            Named.of("an alias of the record", record("a.Old", "{'name':'x','type':'int'}")),
            "{'type':'record','name':'b.New','aliases':['a.Old'],'fields':[{'name':'x','type':'int'}]}"),
        arguments(
            Named.of("an alias, and no namespace", record("a.Old", "{'name':'x','type':'int'}")),
            "{'type':'record','name':'New','aliases':['a.Old'],'fields':[{'name':'x','type':'int'}]}"),
        arguments(
            Named.of(
                "an alias in a union, and no namespace",
                row("['null','int'," + enumOf("a.E") + "," + nested("a.N") + "]")),
            row(
                "['null',{'type':'record','name':'M','aliases':['a.N'],'fields':[{'name':'s','type':'string'}]},'int',{'type':'enum','name':'G','aliases':['a.E'],'symbols':['A','B']}]")),
        arguments(
            Named.of("an alias in a nullable field", row("['null'," + nested("a.N") + "]")),
            row(
                "['null',{'type':'record','name':'b.M','aliases':['a.N'],'fields':[{'name':'s','type':'string'}]}]")),
        arguments(
            Named.of("an alias in a union", row("['int'," + enumOf("a.E") + "]")),
            row("['int',{'type':'enum','name':'b.G','aliases':['a.E'],'symbols':['A','B']}]")),
        arguments(
            Named.of("Debezium's envelope", CHANGE.formatted("old.shop.orders")),
            CHANGE.formatted("new.shop.orders")));
  }

  @ParameterizedTest
  @MethodSource("renamed")
  void recordsOfBothNamesLandWithTheirValues(String one, String other) throws Exception {
    Schema first = parse(one);
    Schema second = parse(other);
    requireValues(first, second);
    requireValues(second, first);
  }

  private static void requireValues(Schema first, Schema second) throws Exception {
    Schema table = SchemaEvolution.evolve(SchemaEvolution.initial(first), second);

    assertThat(table.getFullName()).isEqualTo(first.getFullName());
    assertThat(SchemaEvolution.evolve(table, first)).isSameAs(table);
    assertThat(SchemaEvolution.evolve(table, second)).isSameAs(table);
    requireLands(first, table);
    requireLands(second, table);
  }

  /** Avro's own reader gets the values of the producer's record from the landed bytes. */
  private static void requireLands(Schema writer, Schema table) throws Exception {
    PlanInterpreter plan = new PlanInterpreter(Planner.plan(writer, table, List.of()));
    TableDatum landed = new TableDatum();
    for (Object datum : new RandomData(writer, DATUMS, 7L)) {
      byte[] sent = encoded(writer, datum);
      plan.run(sent, 0, sent.length, landed);
      GenericRecord row =
          new GenericDatumReader<GenericRecord>(table)
              .read(
                  null,
                  DecoderFactory.get()
                      .binaryDecoder(landed.bytes(), landed.offset(), landed.length(), null));
      GenericRecord written =
          new GenericDatumReader<GenericRecord>(writer)
              .read(null, DecoderFactory.get().binaryDecoder(sent, null));
      assertThat(row).hasToString(written.toString());
    }
  }

  /** In these cases Avro's library resolves the names, too, and must read the same record. */
  @ParameterizedTest
  @MethodSource("renamed")
  void avrosResolutionReadsTheSameWhereItKnowsTheNames(String one, String other) throws Exception {
    Schema writer = parse(other);
    Schema table = SchemaEvolution.evolve(SchemaEvolution.initial(parse(one)), writer);
    PlanInterpreter plan = new PlanInterpreter(Planner.plan(writer, table, List.of()));
    TableDatum landed = new TableDatum();
    for (Object datum : new RandomData(writer, DATUMS, 8L)) {
      byte[] sent = encoded(writer, datum);
      GenericRecord expected;
      try {
        expected =
            new GenericDatumReader<GenericRecord>(writer, table)
                .read(null, DecoderFactory.get().binaryDecoder(sent, null));
      } catch (AvroTypeException e) {
        continue; // Avro compares enums and fixed types in unions by full names.
      }
      plan.run(sent, 0, sent.length, landed);
      assertThat(
              new GenericDatumReader<GenericRecord>(table)
                  .read(
                      null,
                      DecoderFactory.get()
                          .binaryDecoder(landed.bytes(), landed.offset(), landed.length(), null)))
          .isEqualTo(expected);
    }
  }

  @Test
  void newFieldsOfARenamedTypeAreAdded() throws Exception {
    Schema table =
        SchemaEvolution.evolve(
            parse(row("['null'," + nested("a.N") + "]")),
            parse(
                record(
                    "R",
                    f(
                        "f",
                        "['null',{'type':'record','name':'b.N','fields':[{'name':'s','type':'string'},{'name':'n','type':'int'}]}]"),
                    f("g", "{'type':'array','items':'b.N'}"))));

    assertThat(table)
        .isEqualTo(
            parse(
                record(
                    "R",
                    f(
                        "f",
                        "['null',{'type':'record','name':'a.N','fields':[{'name':'s','type':'string'},{'name':'n','type':['null','int'],'default':null}]}]"),
                    "{'name':'g','type':['null',{'type':'array','items':'a.N'}],'default':null}")));
  }

  /** The second producer gives the type another name, and the third gives its field one. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'type':'record','name':'%s','fields':[{'name':'s','type':'string'}]%s}",
        "{'type':'enum','name':'%s','symbols':['A','B']%s}",
        "{'type':'fixed','name':'%s','size':3%s}"
      })
  void newNameOfATypeIsItsNameInOtherFields(String type) throws Exception {
    Schema first = parse(row(type.formatted("a.N", "")));
    Schema second = parse(row(type.formatted("a.M", ",'aliases':['N']")));
    Schema third = parse(record("R", f("g", type.formatted("a.M", ""))));
    Schema table =
        SchemaEvolution.evolve(
            SchemaEvolution.evolve(SchemaEvolution.initial(first), second), third);

    for (Schema writer : List.of(first, second, third)) {
      assertThat(SchemaEvolution.evolve(table, writer)).isSameAs(table);
      assertThat(Planner.plan(writer, table, List.of()).unresolvable()).isEmpty();
    }
  }

  @Test
  void nameOfAnotherTypeIsNoAlias() throws Exception {
    Schema table =
        SchemaEvolution.initial(
            parse(
                record(
                    "R",
                    f("f", "{'type':'record','name':'N','aliases':['M'],'fields':[]}"),
                    f("g", "{'type':'record','name':'M','fields':[]}"))));

    assertThat(table.getField("f").schema().getAliases()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"%s", "['null',%s]", "{'type':'array','items':%s}"})
  void differentTypesAreCalledSo(String type) {
    assertThatThrownBy(
            () ->
                SchemaEvolution.evolve(
                    parse(row(type.formatted(nested("a.N")))),
                    parse(row(type.formatted(nested("a.M"))))))
        .isInstanceOf(SchemaConflictException.class)
        .hasMessageContainingAll(
            "Field R.f",
            "record a.N",
            "record a.M",
            "these are different types",
            "record2table.map");
    assertThatThrownBy(
            () ->
                SchemaEvolution.evolve(
                    parse(record("a.EventA", f("x", "'int'"))),
                    parse(record("a.EventB", f("x", "'int'")))))
        .hasMessageStartingWith(
            "The table has record a.EventA, the record's schema has record a.EventB: these are"
                + " different types")
        .hasMessageContaining("record2table.map")
        .hasMessageNotContaining("Field");
  }

  private static byte[] encoded(Schema schema, Object datum) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(out, null);
    new GenericDatumWriter<>(schema).write(datum, encoder);
    encoder.flush();
    return out.toByteArray();
  }

  private static String nested(String name) {
    return "{'type':'record','name':'" + name + "','fields':[{'name':'s','type':'string'}]}";
  }

  private static String enumOf(String name) {
    return "{'type':'enum','name':'" + name + "','symbols':['A','B']}";
  }

  private static String fixed(String name) {
    return "{'type':'fixed','name':'" + name + "','size':3}";
  }

  private static String row(String type) {
    return record("R", f("f", type));
  }

  private static String f(String name, String type) {
    return "{'name':'" + name + "','type':" + type + "}";
  }

  private static String record(String name, String... fields) {
    return "{'type':'record','name':'" + name + "','fields':[" + String.join(",", fields) + "]}";
  }

  private static Schema parse(String json) {
    return new Schema.Parser().parse(json.replace('\'', '"'));
  }
}
