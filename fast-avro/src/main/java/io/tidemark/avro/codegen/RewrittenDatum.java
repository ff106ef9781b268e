package io.tidemark.avro.codegen;

import io.tidemark.avro.plan.TableDatums;
import io.tidemark.avro.plan.step.Constant;
import io.tidemark.avro.plan.step.Conversion;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/**
 * The result that a generated class is emitting, after those that are complete. The class emits it
 * from a source that its walk has validated.
 *
 * <p>It also has the positions that a walk notes: a stack of frames, one for each record that is
 * being converted. Reused for each datum. Not thread-safe.
 */
final class RewrittenDatum {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int ABSENT = -1;

  private final List<Constant> constants;
  private final Conversion[] conversions;
  private final int fieldPlaces;
  private int[] notes = new int[64];
  private int notesEnd;

  private TableDatums target = new TableDatums(0);
  private byte[] bytes = new byte[0];
  private int size;
  private int limit;
  private int[] fields = new int[0];
  private int fieldsAt;

  RewrittenDatum(List<Constant> constants, List<Conversion> conversions, int fields) {
    this.constants = List.copyOf(constants);
    this.conversions = conversions.toArray(Conversion[]::new);
    fieldPlaces = 2 * fields;
  }

  /** Begins a datum whose source has this length. */
  void begin(TableDatums newTarget, int length) {
    target = newTarget;
    size = target.size();
    bytes = target.reserve(length);
    long longest = (long) length + TableDatums.maxGrowth(length);
    limit = (int) Math.min(Integer.MAX_VALUE - 16L, size + longest);
    fields = target.reserveFields(1);
    fieldsAt = target.nextFields();
  }

  /** Ends the datum and adds it to the target. */
  void end() {
    target.add(size);
  }

  /** Opens consecutive frames of this many places each, and returns the first place. */
  int enter(int frames, int places) {
    int at = notesEnd;
    notesEnd += frames * places;
    if (notesEnd > notes.length) {
      notes = Arrays.copyOf(notes, 2 * notesEnd);
    }
    if (fieldPlaces > 0) {
      for (int frame = at; frame < notesEnd; frame += places) {
        Arrays.fill(notes, frame, frame + fieldPlaces, ABSENT);
      }
    }
    return at;
  }

  /** Closes all frames at or after a place. */
  void leave(int at) {
    notesEnd = at;
  }

  /** Returns the array of the places of all frames. Opening a frame may replace it. */
  int[] notes() {
    return notes;
  }

  /** Returns the position that is noted in a place. */
  int position(int place) {
    return notes[place];
  }

  /** Emits a converted value of the source between two noted positions. */
  void convertNoted(int index, byte[] source, int from, int to) {
    convert(index, source, notes[from], notes[to]);
  }

  /** Copies the source's bytes between two noted positions. */
  void copy(byte[] source, int from, int to) {
    copyBytes(source, notes[from], notes[to]);
  }

  /**
   * Notes the new position of a captured field that is copied next.
   *
   * @param at the first place of the frame
   * @param from the place of the first position that is copied
   */
  void moveField(int field, int at, int from) {
    int begin = notes[at + 2 * field];
    if (begin != ABSENT) {
      int distance = size - notes[from];
      fields[fieldsAt + 2 * field] = begin + distance;
      fields[fieldsAt + 2 * field + 1] = notes[at + 2 * field + 1] + distance;
    }
  }

  void beginField(int field) {
    fields[fieldsAt + 2 * field] = size;
  }

  void endField(int field) {
    fields[fieldsAt + 2 * field + 1] = size;
  }

  /** Emits a constant, and stores the positions of the captured fields in it. */
  void emitConstant(int index) {
    Constant constant = constants.get(index);
    List<Constant.Field> inside = constant.fields();
    for (int i = 0; i < inside.size(); i++) {
      Constant.Field field = inside.get(i);
      fields[fieldsAt + 2 * field.field()] = size + field.begin();
      fields[fieldsAt + 2 * field.field() + 1] = size + field.end();
    }
    write(constant.bytes());
  }

  /** Emits the index of a branch or symbol. */
  void emitIndex(int index) {
    if (index < 0x40) {
      ensure(1);
      bytes[size++] = (byte) (2 * index);
    } else {
      emitVarint(2L * index);
    }
  }

  /** Emits the count of a block. Skips the count, and the size if there is one. */
  int emitBlockHead(byte[] source, int position) {
    long count = SkipOps.readLong(source, position);
    int behind = SkipOps.skipLong(source, position);
    if (count < 0) {
      emitVarint(-2 * count);
      return SkipOps.skipLong(source, behind);
    }
    copyBytes(source, position, behind);
    return behind;
  }

  /** Emits a converted value of the source; falls back if it is refused. */
  void convert(int index, byte[] source, int from, int to) {
    Conversion conversion = conversions[index];
    ensure(conversion.maxBytes(source, from, to));
    int end = conversion.convert(source, from, to, bytes, size);
    if (end == Conversion.REFUSED) {
      throw FallBackException.INSTANCE;
    }
    size = end;
  }

  private void emitVarint(long raw) {
    ensure(10);
    long rest = raw;
    for (; (rest & ~0x7fL) != 0; rest >>>= 7) {
      bytes[size++] = (byte) (rest | 0x80);
    }
    bytes[size++] = (byte) rest;
  }

  /** Copies the source's bytes between two positions. */
  void copyBytes(byte[] source, int from, int to) {
    int length = to - from;
    ensure(length);
    if (length > 2 * Long.BYTES) {
      System.arraycopy(source, from, bytes, size, length);
    } else {
      // Both arrays have as many bytes after a datum. What follows is written later.
      LONGS.set(bytes, size, (long) LONGS.get(source, from));
      LONGS.set(bytes, size + Long.BYTES, (long) LONGS.get(source, from + Long.BYTES));
    }
    size += length;
  }

  private void write(byte[] whole) {
    ensure(whole.length);
    System.arraycopy(whole, 0, bytes, size, whole.length);
    size += whole.length;
  }

  private void ensure(int more) {
    if (more > bytes.length - TableDatums.SLACK_BYTES - size) {
      grow(more);
    }
  }

  private void grow(int more) {
    if (more > limit - size) {
      throw new IndexOutOfBoundsException("the datum grows too much");
    }
    bytes = target.reserve(size - target.size() + more);
  }
}
