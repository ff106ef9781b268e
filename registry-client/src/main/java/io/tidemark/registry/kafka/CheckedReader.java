package io.tidemark.registry.kafka;

import io.tidemark.avro.binary.SliceDecoder;
import io.tidemark.avro.object.FastDatumReader;
import java.io.IOException;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;

/**
 * Reads objects from datums of one schema, and checks each datum. For use by one thread.
 *
 * <p>If the writer schema is also the reader schema, and {@link OnePassCheck} allows it, the datum
 * is checked while it is read: {@link SliceDecoder} rejects lengths and counts that do not fit the
 * bytes. Otherwise {@link DatumBounds} checks it first, because a reader checks fields that it
 * skips only partly.
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
    whileReading = writer.equals(reader) && OnePassCheck.suffices(writer);
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
}
