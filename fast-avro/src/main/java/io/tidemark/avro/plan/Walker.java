package io.tidemark.avro.plan;

import io.tidemark.avro.binary.BinaryCursor;
import io.tidemark.avro.binary.MalformedDatumException;
import io.tidemark.avro.plan.step.DecimalBytes;
import java.util.Arrays;

/**
 * Walks through datums by a program: validates them to the last byte and stores field positions.
 *
 * <p>Common values (an index, a length, a number in one byte) are read in the loop and by {@link
 * QuickSkips}. A {@link BinaryCursor} reads the others, and reports every error. Arrays, maps and
 * called records are on a separate stack of limited depth, so no datum can overflow the thread's
 * stack. Valid datums cause no allocation. Not thread-safe.
 */
final class Walker {
  /**
   * The maximum number of items without bytes (an array of nulls) in a datum: a reader creates an
   * object for each.
   */
  static final int MAX_EMPTY_ITEMS = 1 << 20;

  private static final int NO_SIZE = -1;
  private static final int MOST_PATH_CHARS = 2_000;

  private final Program program;
  private final int[] code;
  private final int maxDepth;
  private final BinaryCursor cursor = new BinaryCursor();
  private final QuickSkips quick = new QuickSkips(cursor);
  private final EmittedBytes emitted = new EmittedBytes();

  private final Rewriter rewriter;

  private byte[] source = new byte[0];
  private int start;
  private int depth;
  private long emptyItems;

  /** The instruction, CALL or ITEMS, that opened each level. */
  private int[] openedAt = new int[16];

  /** For each level of items, the number left of the block; see {@code blockEnd} for its end. */
  private int[] itemsLeft = new int[16];

  private int[] blockEnd = new int[16];

  Walker(Program program, int maxDepth) {
    this.program = program;
    this.code = program.code();
    this.maxDepth = maxDepth;
    rewriter = new Rewriter(program, cursor, emitted);
  }

  /** Walks through one datum, which must take exactly the given bytes, and converts it. */
  void rewrite(byte[] bytes, int offset, int length, TableDatum result)
      throws MalformedDatumException {
    rewriter.begin(bytes, offset, length);
    walk(bytes, offset, length, result);
    emitted.flush(offset + length);
    result.rewritten(emitted.bytes(), emitted.size());
  }

  /** Walks through one datum, which must take exactly the given bytes. */
  void walk(byte[] bytes, int offset, int length, TableDatum result)
      throws MalformedDatumException {
    cursor.position(walkFirst(bytes, offset, length, result));
    requireEnd();
  }

  /** Walks through the first datum of the given bytes, and returns its end. */
  int walkFirst(byte[] bytes, int offset, int length, TableDatum result)
      throws MalformedDatumException {
    cursor.reset(bytes, offset, length);
    source = bytes;
    start = offset;
    depth = 0;
    emptyItems = 0;
    int end = offset + length;
    int position = offset;
    int next = 0;
    int at = 0;
    int value = 0;
    try {
      while (true) {
        at = next;
        value = 0;
        switch (code[at]) {
          case Program.SKIP -> {
            int count = code[at + 2];
            if (code[at + 1] <= end - position) {
              position += code[at + 1];
            } else {
              for (cursor.position(position); value < count; value++) {
                cursor.skip(code[at + 3 + value]);
              }
            }
            next = at + 3 + count;
          }
          case Program.BOOLEANS -> {
            for (int count = code[at + 1]; value < count; value++) {
              position = quick.afterBoolean(bytes, position, end);
            }
            next = at + 2;
          }
          case Program.INTS -> {
            for (int count = code[at + 1]; value < count; value++) {
              position = quick.afterInt(bytes, position, end);
            }
            next = at + 2;
          }
          case Program.LONGS -> {
            for (int count = code[at + 1]; value < count; value++) {
              position = quick.afterLong(bytes, position, end);
            }
            next = at + 2;
          }
          case Program.BYTES -> {
            for (int count = code[at + 1]; value < count; value++) {
              position = quick.afterBytes(bytes, position, end);
            }
            next = at + 2;
          }
          case Program.NULLABLE_BYTES -> {
            for (int count = code[at + 1]; value < count; value++) {
              position = quick.afterNullableBytes(bytes, position, end, code[at + 2]);
            }
            next = at + 3;
          }
          case Program.NULLABLE -> {
            int nullByte = code[at + 1];
            int branch = position < end ? bytes[position] : -1;
            if (branch == (nullByte ^ 2)) {
              position++;
              next = at + 3;
            } else if (branch == nullByte) {
              position++;
              next = code[at + 2];
            } else {
              cursor.position(position);
              int index = cursor.readIndex(2, "union", "branches");
              position = cursor.position();
              next = 2 * index == nullByte ? code[at + 2] : at + 3;
            }
          }
          case Program.ENUM -> {
            cursor.position(position);
            cursor.readIndex(code[at + 1], "enum", "symbols");
            position = cursor.position();
            next = at + 2;
          }
          case Program.UNION -> {
            cursor.position(position);
            int branch = cursor.readIndex(code[at + 1], "union", "branches");
            position = cursor.position();
            next = code[at + 2 + branch];
          }
          case Program.JUMP -> next = code[at + 1];
          case Program.ITEMS -> {
            cursor.position(position);
            push(at);
            next = nextBlock(at);
            position = cursor.position();
          }
          case Program.NEXT -> {
            int items = openedAt[depth - 1];
            if (--itemsLeft[depth - 1] > 0) {
              next = items + (code[items] == Program.ITEMS ? 2 : 3);
            } else {
              cursor.position(position);
              requireBlockEnd();
              next = nextBlock(items);
              position = cursor.position();
            }
          }
          case Program.EMPTY_ITEMS -> {
            cursor.position(position);
            skipEmptyItems();
            position = cursor.position();
            next = at + 1;
          }
          case Program.CALL -> {
            cursor.position(position);
            push(at);
            next = code[at + 1];
          }
          case Program.RETURN -> next = openedAt[--depth] + 2;
          case Program.BEGIN_FIELD -> {
            result.beginField(code[at + 1], position);
            next = at + 2;
          }
          case Program.END_FIELD -> {
            result.endField(code[at + 1], position);
            next = at + 2;
          }
          case Program.STOP -> {
            return position;
          }
          default -> {
            cursor.position(position);
            next = rewrite(at, result);
            position = cursor.position();
          }
        }
      }
    } catch (MalformedDatumException e) {
      throw e.inField(path(at, value));
    }
  }

  /** Runs an instruction of a converting plan, and returns the index of the next one. */
  private int rewrite(int at, TableDatum result) throws MalformedDatumException {
    switch (code[at]) {
      case Program.REWRITE_ITEMS -> {
        push(at);
        return nextBlock(at);
      }
      case Program.DECIMAL -> {
        checkDecimal(code[at + 1]);
        return at + 2;
      }
      case Program.REPEAT -> {
        repeat(program.constant(code[at + 1]).bytes());
        return at + 2;
      }
      default -> {
        return rewriter.run(at, result);
      }
    }
  }

  private void checkDecimal(int digits) throws MalformedDatumException {
    int before = cursor.position();
    int length = cursor.readLength();
    if (!DecimalBytes.fits(source, cursor.position(), length, digits)) {
      throw new UnresolvableDatumException(
          (long) before - start,
          "",
          "a decimal of %d bytes has not 1 to %d digits".formatted(length, digits));
    }
    cursor.skip(length);
  }

  /** Emits each item, which takes no bytes, as a constant. */
  private void repeat(byte[] item) throws MalformedDatumException {
    while (true) {
      int before = cursor.position();
      long count = readEmptyItems();
      if (count < 0) {
        emitted.flush(before);
        emitted.writeCount(-count);
        emitted.keepFrom(cursor.position());
      } else {
        emitted.flush(cursor.position());
      }
      if (count == 0) {
        return;
      }
      emitted.write(item, Math.abs(count));
    }
  }

  private void push(int at) throws MalformedDatumException {
    if (depth == maxDepth) {
      throw cursor.malformed(
          "arrays, maps and records are nested deeper than " + maxDepth + " levels");
    }
    if (depth == openedAt.length) {
      openedAt = Arrays.copyOf(openedAt, 2 * depth);
      itemsLeft = Arrays.copyOf(itemsLeft, 2 * depth);
      blockEnd = Arrays.copyOf(blockEnd, 2 * depth);
    }
    openedAt[depth++] = at;
  }

  /**
   * Reads the head of a block and returns the index of the next instruction: the first of an item,
   * or the one after the array or map.
   */
  private int nextBlock(int items) throws MalformedDatumException {
    int before = cursor.position();
    long count = cursor.readLong();
    if (count == 0) {
      depth--;
      return code[items + 1];
    }
    blockEnd[depth - 1] = count < 0 ? readBlockEnd() : NO_SIZE;
    long itemCount = Math.abs(count);
    // Long.MIN_VALUE has no absolute value.
    if (itemCount < 0 || itemCount > cursor.remaining()) {
      throw cutBlock(before, itemCount, "items");
    }
    itemsLeft[depth - 1] = (int) itemCount;
    if (code[items] == Program.ITEMS) {
      return items + 2;
    }
    if (code[items + 2] == 1) {
      countEmptyItems(before, itemCount);
    }
    if (count < 0) {
      emitted.flush(before);
      emitted.writeCount(itemCount);
      emitted.keepFrom(cursor.position());
    }
    return items + 3;
  }

  private int readBlockEnd() throws MalformedDatumException {
    int before = cursor.position();
    long size = cursor.readLong();
    if (size < 0 || size > cursor.remaining()) {
      throw cutBlock(before, size, "bytes");
    }
    return cursor.position() + (int) size;
  }

  private MalformedDatumException cutBlock(int before, long count, String unit) {
    String problem = "block of " + count + ' ' + unit + ", but " + cursor.left();
    cursor.position(before);
    return cursor.malformed(problem);
  }

  private void requireBlockEnd() throws MalformedDatumException {
    int said = blockEnd[depth - 1];
    if (said != NO_SIZE && said != cursor.position()) {
      int off = said - cursor.position();
      throw cursor.malformed(
          "block has "
              + BinaryCursor.bytes(Math.abs(off))
              + (off > 0 ? " fewer" : " more")
              + " than its size field says");
    }
  }

  private void skipEmptyItems() throws MalformedDatumException {
    while (readEmptyItems() != 0) {
      // Items without bytes have nothing left to read.
    }
  }

  /** Reads the head of a block of items without bytes; a negative count has a size. */
  private long readEmptyItems() throws MalformedDatumException {
    int before = cursor.position();
    long count = cursor.readLong();
    if (count < 0 && cursor.readLong() != 0) {
      cursor.position(before);
      throw cursor.malformed("block size is not 0, but its items take no bytes");
    }
    countEmptyItems(before, count);
    return count;
  }

  private void countEmptyItems(int before, long count) throws MalformedDatumException {
    // Neither the addition nor Math.abs may overflow unnoticed.
    if (count > MAX_EMPTY_ITEMS
        || count < -MAX_EMPTY_ITEMS
        || (emptyItems += Math.abs(count)) > MAX_EMPTY_ITEMS) {
      cursor.position(before);
      throw cursor.malformed("more than " + MAX_EMPTY_ITEMS + " items that take no bytes");
    }
  }

  private void requireEnd() throws MalformedDatumException {
    int left = cursor.remaining();
    if (left > 0) {
      throw cursor.malformed(
          BinaryCursor.bytes(left)
              + (left == 1 ? " follows" : " follow")
              + " the end of the datum");
    }
  }

  /**
   * Returns the path from the root: that of each call on the stack, then the instruction's. Only
   * the end of a long path is returned: many messages with all of it could exhaust the heap.
   */
  private String path(int at, int value) {
    var path = new StringBuilder();
    for (int level = 0; level < depth; level++) {
      if (code[openedAt[level]] == Program.CALL) {
        appendPath(path, program.path(openedAt[level], 0));
      }
    }
    appendPath(path, program.path(at, value));
    int cut = path.length() - MOST_PATH_CHARS;
    return cut > 0 ? "…" + path.substring(cut) : path.toString();
  }

  private static void appendPath(StringBuilder path, String part) {
    if (!part.isEmpty() && path.length() > 0) {
      path.append('.');
    }
    path.append(part);
  }
}
