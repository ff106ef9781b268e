package io.tidemark.store.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.avro.plan.Planner;
import io.tidemark.registry.RegisteredSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterProperty;
import org.apache.avro.Schema;
import org.apache.avro.SchemaParseException;

/**
 * Random schemas that registries accept, most of them unusual. A table can be created or extended
 * with each of them, or the schema is refused with a reason.
 */
final class HostileSchemasPropertyTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final List<String> NAMES =
      List.of(
          "id", "ID", "a", "select", "_x", "my-field", "../x", "a b", "ü", "😀", "", "R", "x.y");
  private static final List<String> PRIMITIVES =
      List.of("null", "boolean", "int", "long", "float", "double", "bytes", "string");
  private static final List<String> LOGICAL =
      List.of("decimal", "date", "timestamp-millis", "uuid", "duration", "no-such-type");
  private static final int MOST_DEEP = 5;

  private int landed;
  private int refused;

  @Property
  void tableIsMadeOrRefused(@ForAll long seed) throws Exception {
    Optional<Schema> writer = parsed(new Random(seed));
    if (writer.isPresent()) {
      try {
        table(writer.get());
        landed++;
      } catch (SchemaConflictException e) {
        refused++;
        assertThat(e.getMessage())
            .isNotBlank()
            .hasSizeLessThan(4_000)
            .doesNotContainPattern("[.]{2} [A-Z]");
      }
    }
  }

  @Property
  void tableGrowsOrRefuses(@ForAll long seed) throws Exception {
    Random random = new Random(seed);
    Optional<Schema> first = parsed(random);
    Optional<Schema> second = parsed(random);
    if (first.isPresent() && second.isPresent()) {
      try {
        Schema table = table(first.get());
        SchemaLimits.DEFAULT.check(second.get());
        Schema evolved = SchemaEvolution.evolve(table, second.get());
        SchemaLimits.DEFAULT.check(evolved);
        assertThat(HiveSchema.of(evolved, List.of()).columns()).isNotEmpty();
        isPlanned(first.get(), evolved);
        isPlanned(second.get(), evolved);
        landed++;
      } catch (SchemaConflictException e) {
        refused++;
        assertThat(e.getMessage())
            .isNotBlank()
            .hasSizeLessThan(4_000)
            .doesNotContainPattern("[.]{2} [A-Z]");
      }
    }
  }

  @AfterProperty
  void bothHappened() {
    assertThat(landed).isPositive();
    assertThat(refused).isPositive();
  }

  /** Makes the table schema as a table binder does. */
  private static Schema table(Schema writer) throws SchemaConflictException {
    SchemaLimits.DEFAULT.check(writer);
    assertThat(HiveSchema.of(writer, List.of()).columns()).isNotEmpty();
    Schema table = SchemaEvolution.initial(writer);
    isPlanned(writer, table);
    return table;
  }

  private static void isPlanned(Schema writer, Schema table) {
    assertThat(Planner.plan(writer, table, List.of()).writerSchema()).isEqualTo(writer);
  }

  /** A schema that the registry's client can read. */
  private static Optional<Schema> parsed(Random random) {
    String json = record(random, 0).toString();
    try {
      return Optional.of(RegisteredSchema.parse(json));
    } catch (SchemaParseException e) {
      return Optional.empty();
    }
  }

  private static ObjectNode record(Random random, int depth) {
    ObjectNode record = JSON.createObjectNode();
    record.put("type", "record");
    record.put("name", depth == 0 ? "R" : name(random));
    ArrayNode fields = record.putArray("fields");
    int count = random.nextInt(4) + (depth == 0 ? 1 : 0);
    for (int i = 0; i < count; i++) {
      ObjectNode field = fields.addObject();
      field.put("name", random.nextInt(3) > 0 ? "f" + depth + i : name(random));
      field.set("type", type(random, depth + 1));
      if (random.nextInt(4) == 0) {
        field.set("default", value(random));
      }
    }
    return record;
  }

  private static JsonNode type(Random random, int depth) {
    return switch (random.nextInt(depth > MOST_DEEP ? 3 : 9)) {
      case 0, 1 -> JsonNodeFactory.instance.textNode(any(random, PRIMITIVES));
      case 2 ->
          JSON.createObjectNode()
              .put("type", any(random, PRIMITIVES))
              .put("logicalType", any(random, LOGICAL))
              .put("precision", random.nextInt(50) - 5)
              .put("scale", random.nextInt(20) - 5);
      case 3 -> JSON.createObjectNode().put("type", "array").set("items", type(random, depth + 1));
      case 4 -> JSON.createObjectNode().put("type", "map").set("values", type(random, depth + 1));
      case 5 -> union(random, depth);
      case 6 ->
          JSON.createObjectNode()
              .put("type", "fixed")
              .put("name", name(random))
              .put("size", random.nextInt(20));
      case 7 -> symbols(random);
      default -> record(random, depth);
    };
  }

  private static ArrayNode union(Random random, int depth) {
    ArrayNode union = JSON.createArrayNode();
    union.add("null");
    for (int i = random.nextInt(3); i > 0; i--) {
      union.add(type(random, depth + 1));
    }
    return union;
  }

  private static ObjectNode symbols(Random random) {
    ObjectNode made = JSON.createObjectNode().put("type", "enum").put("name", name(random));
    ArrayNode symbols = made.putArray("symbols");
    List<String> left = new ArrayList<>(NAMES);
    for (int i = random.nextInt(4); i > 0; i--) {
      symbols.add(left.remove(random.nextInt(left.size())));
    }
    return made;
  }

  private static JsonNode value(Random random) {
    JsonNodeFactory json = JsonNodeFactory.instance;
    return switch (random.nextInt(5)) {
      case 0 -> json.nullNode();
      case 1 -> json.numberNode(random.nextInt());
      case 2 -> json.textNode("none");
      case 3 -> json.arrayNode();
      default -> json.objectNode();
    };
  }

  private static String name(Random random) {
    return random.nextBoolean() ? "N" + random.nextInt(1_000) : any(random, NAMES);
  }

  private static String any(Random random, List<String> of) {
    return of.get(random.nextInt(of.size()));
  }
}
