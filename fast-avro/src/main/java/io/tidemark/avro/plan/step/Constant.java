package io.tidemark.avro.plan.step;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Bytes that a step writes without reading input, such as a default, and the positions of captured
 * fields in them. Safe for use by many threads.
 */
public final class Constant {
  /** The maximum growth of a datum in bytes: 16 MiB. */
  public static final int MAX_BYTES = 1 << 24;

  private final byte[] bytes;
  private final List<Field> fields;

  private Constant(byte[] bytes, List<Field> fields) {
    this.bytes = bytes;
    this.fields = List.copyOf(fields);
  }

  /** A captured field, by its position in the constant. */
  public record Field(int field, int begin, int end) {}

  /** Returns the bytes that a step writes without reading input. */
  public static Constant of(PlanStep step, StepTree plan) {
    return new Collector(plan).collect(step);
  }

  /**
   * Returns a constant that was {@linkplain #of(PlanStep, StepTree) made of a step} before and was
   * stored.
   *
   * @param bytes the bytes, which the caller must not change
   * @throws IllegalArgumentException if a field is not within the bytes
   */
  public static Constant of(byte[] bytes, List<Field> fields) {
    for (Field field : fields) {
      if (field.field() < 0
          || field.begin() < 0
          || field.begin() > field.end()
          || field.end() > bytes.length) {
        throw new IllegalArgumentException(
            field + " is not within " + bytes.length + " bytes of a constant");
      }
    }
    return new Constant(bytes, fields);
  }

  /** Returns the bytes; the caller must not change them. */
  public byte[] bytes() {
    return bytes;
  }

  /** Returns the captured fields. */
  public List<Field> fields() {
    return fields;
  }

  private static final class Collector {
    private final StepTree plan;
    private final Map<String, byte[]> records = new HashMap<>();
    private final List<Field> fields = new ArrayList<>();
    private ByteArrayOutputStream out = new ByteArrayOutputStream();

    Collector(StepTree plan) {
      this.plan = plan;
    }

    Constant collect(PlanStep step) {
      add(step);
      return new Constant(out.toByteArray(), fields);
    }

    private void add(PlanStep step) {
      if (step instanceof PlanStep.Write write) {
        write.bytes().forEach(this::write);
      } else if (step instanceof PlanStep.WriteIndex index) {
        writeIndex(index.branch());
        add(index.step());
      } else if (step instanceof PlanStep.Capture capture) {
        int begin = out.size();
        add(capture.step());
        fields.add(new Field(capture.field(), begin, out.size()));
      } else if (step instanceof PlanStep.RewriteRecord record) {
        record.table().forEach(part -> add(record, part));
      } else if (step instanceof PlanStep.Call call && !plan.copies(call)) {
        byte[] record = records.get(call.record());
        if (record == null) {
          record = record(call.record());
          records.put(call.record(), record);
        }
        writeAll(record);
      } else if (!plan.copies(step)) {
        throw new IllegalArgumentException(step + " takes bytes");
      }
    }

    private void add(PlanStep.RewriteRecord record, PlanStep.Part part) {
      if (part instanceof PlanStep.Added added) {
        add(added.step());
      } else if (part instanceof PlanStep.Moved moved) {
        add(record.source().get(moved.source()).step());
      }
    }

    /** Returns what a called record emits; no field of it is captured. */
    private byte[] record(String name) {
      PlanStep record = plan.definitions().get(name);
      if (record == null) {
        throw new IllegalArgumentException("the plan calls " + name + " but does not define it");
      }
      ByteArrayOutputStream outer = out;
      out = new ByteArrayOutputStream();
      add(record);
      byte[] emitted = out.toByteArray();
      out = outer;
      return emitted;
    }

    private void writeIndex(int branch) {
      int rest = 2 * branch;
      for (; rest > 0x7f; rest >>>= 7) {
        out.write(rest | 0x80);
      }
      out.write(rest);
    }

    private void write(byte b) {
      out.write(b);
    }

    private void writeAll(byte[] added) {
      if (out.size() + added.length > MAX_BYTES) {
        throw new IllegalArgumentException(
            "defaults of more than " + MAX_BYTES + " bytes for one value");
      }
      out.writeBytes(added);
    }
  }
}
