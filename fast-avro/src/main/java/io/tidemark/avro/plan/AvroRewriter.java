package io.tidemark.avro.plan;

import io.tidemark.avro.binary.MalformedDatumException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Map;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.Encoder;
import org.apache.avro.io.EncoderFactory;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites datums by Avro's library: read with schema resolution into objects, then written.
 *
 * <p>Strings stay bytes and logical types stay what they are made of. A map keeps the last of equal
 * keys, and not their order. Not safe for use by several threads.
 */
final class AvroRewriter {
  private final GenericDatumReader<Object> reader;
  private final GenericDatumWriter<Object> writer;
  private final Scratch scratch = new Scratch();
  private final BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(scratch, null);
  private @Nullable BinaryDecoder decoder;
  private @Nullable Object reused;

  AvroRewriter(Schema writerSchema, Schema tableSchema) {
    // Instances of its own: the shared GenericData may have been given conversions to other
    // objects.
    reader = new TextAsBytesReader(writerSchema, tableSchema, new GenericData());
    writer = new KeyAsBytesWriter(tableSchema, new GenericData());
  }

  /**
   * Rewrites a datum that has been checked. What it became stands in {@link #bytes()} until the
   * next call.
   */
  void rewrite(byte[] source, int offset, int length) throws MalformedDatumException {
    scratch.reset();
    decoder = DecoderFactory.get().binaryDecoder(source, offset, length, decoder);
    try {
      reused = reader.read(reused, decoder);
      writer.write(reused, encoder);
      encoder.flush();
    } catch (AvroRuntimeException | IOException e) {
      throw unresolved(String.valueOf(e.getMessage()), e);
    } catch (StackOverflowError e) {
      // Avro's library calls itself for each level of a datum. Its state begins anew with each
      // datum.
      throw unresolved("it is nested too deeply for the thread's stack", e);
    }
  }

  private static MalformedDatumException unresolved(String problem, Throwable cause) {
    var malformed =
        new MalformedDatumException(
            0, "", "datum cannot be rewritten in the table's schema: " + problem);
    malformed.initCause(cause);
    return malformed;
  }

  /** The array in which the rewritten datum begins at 0. */
  byte[] bytes() {
    return scratch.bytes();
  }

  /** How many bytes the rewritten datum has. */
  int length() {
    return scratch.size();
  }

  private static final class Scratch extends ByteArrayOutputStream {
    byte[] bytes() {
      return buf;
    }
  }

  /** Reads text as its UTF-8 bytes, whatever class a schema's property asks for. */
  private static final class TextAsBytesReader extends GenericDatumReader<Object> {
    TextAsBytesReader(Schema writerSchema, Schema tableSchema, GenericData data) {
      super(writerSchema, tableSchema, data);
    }

    @Override
    protected Class<?> findStringClass(Schema schema) {
      return CharSequence.class;
    }
  }

  /**
   * Writes a map's keys as the bytes they were read as; Avro's writer takes them through a String.
   */
  private static final class KeyAsBytesWriter extends GenericDatumWriter<Object> {
    KeyAsBytesWriter(Schema tableSchema, GenericData data) {
      super(tableSchema, data);
    }

    @Override
    protected void writeMap(Schema schema, Object datum, Encoder out) throws IOException {
      out.writeMapStart();
      out.setItemCount(getMapSize(datum));
      for (Map.Entry<Object, Object> entry : getMapEntries(datum)) {
        out.startItem();
        writeString(entry.getKey(), out);
        write(schema.getValueType(), entry.getValue(), out);
      }
      out.writeMapEnd();
    }
  }
}
