package io.tidemark.avro.mapping;

import io.tidemark.avro.plan.step.Conversion;
import io.tidemark.avro.plan.step.Varints;
import java.io.ByteArrayOutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** The symbol of an enum as a string. */
final class EnumText extends Conversion {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int WORDS = 2 * Long.BYTES;

  /** The encoded texts, one after the other. */
  private final byte[] texts;

  /** The start of each text, and the end of the last one. */
  private final int[] starts;

  private final int longest;

  EnumText(List<String> symbols) {
    super("text of enum " + symbols);
    var all = new ByteArrayOutputStream();
    starts = new int[symbols.size() + 1];
    int most = 0;
    for (int i = 0; i < symbols.size(); i++) {
      all.writeBytes(encoded(symbols.get(i)));
      starts[i + 1] = all.size();
      most = Math.max(most, starts[i + 1] - starts[i]);
    }
    texts = Arrays.copyOf(all.toByteArray(), all.size() + WORDS);
    longest = most;
  }

  /** Returns a text as an encoded string. */
  static byte[] encoded(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    var encoded = new byte[Varints.MOST_BYTES + bytes.length];
    int head = Varints.write(bytes.length, encoded, 0);
    System.arraycopy(bytes, 0, encoded, head, bytes.length);
    return Arrays.copyOf(encoded, head + bytes.length);
  }

  @Override
  public int maxBytes(byte[] source, int from, int to) {
    return longest;
  }

  @Override
  public int convert(byte[] source, int from, int to, byte[] target, int at) {
    int symbol = source[from] >= 0 ? source[from] >> 1 : (int) Varints.read(source, from);
    int size = starts[symbol + 1] - starts[symbol];
    if (size <= WORDS && at <= target.length - WORDS) {
      // What follows the text is written later. Two words take less time than a call.
      LONGS.set(target, at, (long) LONGS.get(texts, starts[symbol]));
      LONGS.set(target, at + Long.BYTES, (long) LONGS.get(texts, starts[symbol] + Long.BYTES));
    } else {
      System.arraycopy(texts, starts[symbol], target, at, size);
    }
    return at + size;
  }

  @Override
  public String problem(byte[] source, int from, int to) {
    throw new IllegalStateException("every symbol has a text");
  }
}
