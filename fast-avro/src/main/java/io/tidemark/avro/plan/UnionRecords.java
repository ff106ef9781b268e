package io.tidemark.avro.plan;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.avro.Resolver;
import org.apache.avro.Resolver.Action;
import org.apache.avro.Resolver.ErrorAction;
import org.apache.avro.Resolver.ErrorAction.ErrorType;
import org.apache.avro.Resolver.WriterUnion;
import org.apache.avro.Schema;
import org.apache.avro.Schema.SeenPair;
import org.apache.avro.generic.GenericData;

/**
 * Resolves schemas like Avro's {@link Resolver}, but compares records in unions by their names
 * first. The library compares each record of a writer's union with the reader's records in front of
 * the one that has its name, with all their fields, and remembers each pair. Here it knows from the
 * start which pairs have different names, so it does not compare them.
 */
final class UnionRecords {
  /** A branch that no reader has: a union that equals the reader's would resolve as a whole. */
  private static final Schema NO_BRANCH =
      Schema.createFixed("NoBranch", null, "io.tidemark.avro.plan", 0);

  /** The maximum number of places to compare and of pairs to remember, each of about 100 bytes. */
  private static final int MOST_PAIRS = 1 << 19;

  private final GenericData data;
  private final Map<SeenPair, Action> differ = new HashMap<>();
  private final Set<SeenPair> visited = new HashSet<>();

  /** The records of the visited unions. Fields may have unions of the same records. */
  private final Set<List<List<SeenPair>>> unions = new HashSet<>();

  private int pairs;

  private UnionRecords(GenericData data) {
    this.data = data;
  }

  /**
   * Resolves schemas. The writer's types must have the full names of the reader's types that match
   * ({@link TypeNames#ofReader}).
   *
   * @throws IllegalArgumentException if unions have too many pairs of records
   */
  static Action resolve(Schema writer, Schema reader, GenericData data) {
    Schema renamed = Schema.applyAliases(writer, reader);
    UnionRecords records = new UnionRecords(data);
    records.visit(renamed, reader);
    // Only the resolution of a union accepts known pairs.
    return renamed.isUnion()
        ? WriterUnion.resolve(renamed, reader, data, records.differ)
        : ((WriterUnion)
                WriterUnion.resolve(
                    Schema.createUnion(renamed, NO_BRANCH), reader, data, records.differ))
            .actions[0];
  }

  private void visit(Schema writer, Schema reader) {
    count();
    if (writer.isUnion() || reader.isUnion()) {
      visitUnions(TypeNames.types(writer), TypeNames.types(reader));
    } else if (writer.getType() == reader.getType()) {
      switch (writer.getType()) {
        case ARRAY -> visit(writer.getElementType(), reader.getElementType());
        case MAP -> visit(writer.getValueType(), reader.getValueType());
        case RECORD -> visitRecords(writer, reader);
        default -> {}
      }
    }
  }

  private void visitRecords(Schema writer, Schema reader) {
    if (visited.add(new SeenPair(writer, reader))) {
      for (Schema.Field from : writer.getFields()) {
        Schema.Field to = reader.getField(from.name());
        if (to != null) {
          visit(from.schema(), to.schema());
        }
      }
    }
  }

  private void visitUnions(List<Schema> writer, List<Schema> reader) {
    for (Schema.Type container : List.of(Schema.Type.ARRAY, Schema.Type.MAP)) {
      for (Schema from : of(container, writer)) {
        of(container, reader).forEach(to -> visit(from, to));
      }
    }
    List<Schema> from = of(Schema.Type.RECORD, writer);
    List<Schema> to = of(Schema.Type.RECORD, reader);
    if (unions.add(List.of(objects(from), objects(to)))) {
      from.forEach(record -> visitCandidates(record, to));
    }
  }

  /** Returns a key of schemas, which is equal if they are the same objects. */
  private static List<SeenPair> objects(List<Schema> schemas) {
    return schemas.stream().map(schema -> new SeenPair(schema, schema)).toList();
  }

  private static List<Schema> of(Schema.Type type, List<Schema> branches) {
    return branches.stream().filter(branch -> branch.getType() == type).toList();
  }

  /** Visits the records that the library has to compare with a writer's record. */
  private void visitCandidates(Schema writer, List<Schema> records) {
    for (Schema reader : records) {
      boolean same = writer.getFullName().equals(reader.getFullName());
      if (same || writer.getName().equals(reader.getName())) {
        visit(writer, reader);
      } else {
        count();
        differ.put(
            new SeenPair(writer, reader),
            new ErrorAction(writer, reader, data, ErrorType.NAMES_DONT_MATCH));
      }
      if (same) {
        return;
      }
    }
  }

  private void count() {
    if (++pairs > MOST_PAIRS) {
      throw new IllegalArgumentException("its unions have too many pairs of records");
    }
  }
}
