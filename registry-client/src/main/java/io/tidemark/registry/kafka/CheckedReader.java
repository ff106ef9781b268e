package io.tidemark.registry.kafka;

import io.tidemark.avro.binary.SliceDecoder;
import io.tidemark.avro.object.FastDatumReader;
import java.io.IOException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;

/**
 * Reads objects from datums of one schema, and checks each datum. For use by one thread.
 *
 * <p>If the writer schema is also the reader schema and not recursive, the datum is checked while
 * it is read: {@link SliceDecoder} rejects lengths and counts that do not fit the bytes. Otherwise
 * {@link DatumBounds} checks it first, because a reader checks fields that it skips only partly,
 * and a recursive datum can overflow the stack.
 */
final class CheckedReader {
  private static final byte[] NOTHING = {};

  private final Schema writer;
  private final FastDatumReader<Object> datums;
  private final boolean whileReading;
  private final SliceDecoder decoder = SliceDecoder.strict(NOTHING, 0, 0);

  CheckedReader(Schema writer, Schema reader, GenericData model) {
    this.writer = writer;
    datums = new FastDatumReader<>(writer, reader, model);
    whileReading = writer.equals(reader) && !isRecursive(writer, identitySet());
  }

  /**
   * Reads the datum that begins at {@code offset}.
   *
   * @param toTheEnd no bytes may follow
   * @throws DatumBounds.MisfitException if the bytes are not a datum of the writer schema
   */
  Object read(byte[] data, int offset, boolean toTheEnd)
      throws DatumBounds.MisfitException, IOException {
    if (!whileReading) {
      DatumBounds.check(writer, data, offset, toTheEnd);
    }
    decoder.reset(data, offset, data.length - offset);
    Object datum;
    try {
      datum = datums.read(null, decoder);
    } catch (IOException | RuntimeException e) {
      if (whileReading) { // Its message has the place and the cause.
        DatumBounds.check(writer, data, offset, toTheEnd);
      }
      throw e;
    }
    if (whileReading && toTheEnd && decoder.remaining() > 0) {
      DatumBounds.check(writer, data, offset, true);
    }
    return datum;
  }

  private static Set<Schema> identitySet() {
    return Collections.newSetFromMap(new IdentityHashMap<>());
  }

  private static boolean isRecursive(Schema schema, Set<Schema> around) {
    return switch (schema.getType()) {
      case ARRAY -> isRecursive(schema.getElementType(), around);
      case MAP -> isRecursive(schema.getValueType(), around);
      case UNION -> schema.getTypes().stream().anyMatch(branch -> isRecursive(branch, around));
      case RECORD -> {
        if (!around.add(schema)) {
          yield true;
        }
        boolean recursive =
            schema.getFields().stream().anyMatch(field -> isRecursive(field.schema(), around));
        around.remove(schema);
        yield recursive;
      }
      default -> false;
    };
  }
}
