package io.tidemark.avro.mapping;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.avro.plan.step.Conversion;
import io.tidemark.avro.plan.step.DecimalBytes;
import io.tidemark.avro.plan.step.Varints;
import java.util.Arrays;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;

/**
 * A value as JSON: records and maps are objects, enums their symbols. A value of a union has no
 * name of its branch. Bytes are text with a character for each byte, decimals are numbers, and
 * other logical types their numbers. A float that is not a number is a text, such as {@code "NaN"}.
 */
final class JsonText extends Conversion {
  private final Schema schema;

  JsonText(Schema schema) {
    super("JSON of " + schema.getFullName(), "JSON of " + schema);
    this.schema = schema;
  }

  @Override
  public int maxBytes(byte[] source, int from, int to) {
    return Varints.MOST_BYTES + new Text(source, from).of(schema).size;
  }

  @Override
  public int convert(byte[] source, int from, int to, byte[] target, int at) {
    Text text = new Text(source, from).of(schema);
    int begin = Varints.write(text.size, target, at);
    System.arraycopy(text.bytes, 0, target, begin, text.size);
    return begin + text.size;
  }

  @Override
  public String problem(byte[] source, int from, int to) {
    throw new IllegalStateException("every value has a text");
  }

  /** The text of a valid datum. Used by one thread. */
  private static final class Text {
    private final byte[] source;
    private int position;
    private byte[] bytes = new byte[256];
    private int size;

    Text(byte[] source, int position) {
      this.source = source;
      this.position = position;
    }

    Text of(Schema schema) {
      switch (schema.getType()) {
        case NULL -> add("null");
        case BOOLEAN -> add(source[position++] == 1 ? "true" : "false");
        case INT, LONG -> add(Long.toString(number()));
        case FLOAT -> add(Float.intBitsToFloat((int) fixed(Float.BYTES)));
        case DOUBLE -> add(Double.longBitsToDouble(fixed(Double.BYTES)));
        case STRING -> string((int) number(), true);
        case BYTES -> bytes(schema, (int) number());
        case FIXED -> bytes(schema, schema.getFixedSize());
        case ENUM -> add('"' + schema.getEnumSymbols().get((int) number()) + '"');
        case UNION -> {
          return of(schema.getTypes().get((int) number()));
        }
        case ARRAY -> items(schema.getElementType(), false);
        case MAP -> items(schema.getValueType(), true);
        case RECORD -> {
          String before = "{\"";
          for (Schema.Field field : schema.getFields()) {
            add(before + field.name() + "\":");
            of(field.schema());
            before = ",\"";
          }
          add(schema.getFields().isEmpty() ? "{}" : "}");
        }
      }
      return this;
    }

    private void items(Schema item, boolean keyed) {
      add(keyed ? "{" : "[");
      boolean isFirst = true;
      for (long count = number(); count != 0; count = number()) {
        if (count < 0) {
          number(); // The size of the block.
        }
        for (long i = Math.abs(count); i > 0; i--) {
          if (!isFirst) {
            add(",");
          }
          isFirst = false;
          if (keyed) {
            string((int) number(), true);
            add(":");
          }
          of(item);
        }
      }
      add(keyed ? "}" : "]");
    }

    private long number() {
      long number = Varints.read(source, position);
      position = Varints.end(source, position);
      return number;
    }

    private long fixed(int count) {
      long bits = 0;
      for (int i = count - 1; i >= 0; i--) {
        bits = (bits << 8) | (source[position + i] & 0xff);
      }
      position += count;
      return bits;
    }

    private void add(double number) {
      String text = Double.toString(number);
      add(Double.isFinite(number) ? text : '"' + text + '"');
    }

    private void add(float number) {
      String text = Float.toString(number);
      add(Float.isFinite(number) ? text : '"' + text + '"');
    }

    private void bytes(Schema schema, int length) {
      byte[] text =
          schema.getLogicalType() instanceof LogicalTypes.Decimal decimal
              ? DecimalBytes.text(source, position, length, decimal.getScale())
              : new byte[0];
      if (text.length == 0) {
        string(length, false);
      } else {
        add(new String(text, US_ASCII));
        position += length;
      }
    }

    /** Adds a text, or bytes as the characters of their numbers. */
    private void string(int length, boolean isText) {
      add("\"");
      for (int end = position + length; position < end; position++) {
        byte b = source[position];
        switch (b) {
          case '"' -> add("\\\"");
          case '\\' -> add("\\\\");
          case '\b' -> add("\\b");
          case '\f' -> add("\\f");
          case '\n' -> add("\\n");
          case '\r' -> add("\\r");
          case '\t' -> add("\\t");
          default -> {
            if (b >= 0 && b < ' ') {
              add("\\u%04X".formatted(b));
            } else if (isText || b >= 0) {
              add(b);
            } else {
              add((byte) (0xc0 | ((b & 0xff) >> 6)));
              add((byte) (0x80 | (b & 0x3f)));
            }
          }
        }
      }
      add("\"");
    }

    private void add(byte b) {
      ensure(1);
      bytes[size++] = b;
    }

    private void add(String text) {
      byte[] added = text.getBytes(UTF_8);
      ensure(added.length);
      System.arraycopy(added, 0, bytes, size, added.length);
      size += added.length;
    }

    private void ensure(int more) {
      if (more > bytes.length - size) {
        bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
      }
    }
  }
}
