package io.tidemark.avro.codegen;

import io.tidemark.avro.plan.Plan;
import io.tidemark.avro.plan.step.Constant;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;

/**
 * The file of a plan's class, in the format {@code tidemark-class-1}. The reader states the
 * expected generator, key and steps, and the file must have the same.
 *
 * <pre>
 * magic         "tidemark-class-1" in ASCII
 * generator     text: the compiler's version
 * key           text: the plan's fingerprint
 * steps         8 bytes: the digest of the plan's steps
 * places        4 bytes
 * class file    bytes
 * constants     4 bytes: how many; then for each
 *                 bytes
 *                 4 bytes: how many captured fields; then for each its number, begin and end
 * checksum      4 bytes: CRC-32 of all before
 * </pre>
 *
 * <p>Numbers are big-endian. Texts and bytes have their length before them, in 4 bytes. The
 * checksum detects damage, but not attacks. It is not cryptographic, because a JVM that has just
 * started computes such checksums slowly.
 *
 * @param generator the compiler's version
 * @param key the plan's fingerprint
 * @param steps the digest of the plan's steps
 */
record PlanFile(String generator, String key, long steps) {
  private static final byte[] MAGIC = "tidemark-class-1".getBytes(StandardCharsets.US_ASCII);

  static PlanFile of(Plan plan, PlanFingerprint fingerprint) {
    return new PlanFile(PlanCompiler.VERSION, fingerprint.sha256(), StepDigest.of(plan.steps()));
  }

  /** Returns the file of a class. */
  byte[] encode(KernelClass generated) {
    var bytes = new ByteArrayOutputStream();
    try (var out = new DataOutputStream(bytes)) {
      out.write(MAGIC);
      write(generator.getBytes(StandardCharsets.UTF_8), out);
      write(key.getBytes(StandardCharsets.UTF_8), out);
      out.writeLong(steps);
      out.writeInt(generated.places());
      write(generated.classFile(), out);
      out.writeInt(generated.constants().size());
      for (Constant constant : generated.constants()) {
        write(constant, out);
      }
      byte[] content = bytes.toByteArray();
      out.writeInt(checksum(content, content.length));
    } catch (IOException e) {
      throw new UncheckedIOException("an array can be written to", e);
    }
    return bytes.toByteArray();
  }

  private static void write(Constant constant, DataOutputStream out) throws IOException {
    write(constant.bytes(), out);
    out.writeInt(constant.fields().size());
    for (Constant.Field field : constant.fields()) {
      out.writeInt(field.field());
      out.writeInt(field.begin());
      out.writeInt(field.end());
    }
  }

  private static void write(byte[] bytes, DataOutputStream out) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  /** Returns the class in a file; empty if the file is damaged, or has another key. */
  Optional<KernelClass> decode(byte[] file) {
    int end = file.length - Integer.BYTES;
    if (end < MAGIC.length
        || !Arrays.equals(file, 0, MAGIC.length, MAGIC, 0, MAGIC.length)
        || ByteBuffer.wrap(file).getInt(end) != checksum(file, end)) {
      return Optional.empty();
    }
    var in = ByteBuffer.wrap(file, MAGIC.length, end - MAGIC.length);
    try {
      boolean mine = readText(in).equals(generator) && readText(in).equals(key);
      if (!mine || in.getLong() != steps) {
        return Optional.empty();
      }
      int places = in.getInt();
      byte[] classFile = read(in);
      var constants = new ArrayList<Constant>();
      for (int i = in.getInt(); i > 0; i--) {
        constants.add(readConstant(in));
      }
      return in.hasRemaining() || places < 0
          ? Optional.empty()
          : Optional.of(new KernelClass(classFile, places, List.copyOf(constants)));
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static Constant readConstant(ByteBuffer in) {
    byte[] bytes = read(in);
    var fields = new ArrayList<Constant.Field>();
    for (int i = in.getInt(); i > 0; i--) {
      fields.add(new Constant.Field(in.getInt(), in.getInt(), in.getInt()));
    }
    return Constant.of(bytes, fields);
  }

  private static String readText(ByteBuffer in) {
    return new String(read(in), StandardCharsets.UTF_8);
  }

  private static byte[] read(ByteBuffer in) {
    int length = in.getInt();
    if (length < 0 || length > in.remaining()) {
      throw new BufferUnderflowException();
    }
    var bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }

  private static int checksum(byte[] bytes, int length) {
    var checksum = new CRC32();
    checksum.update(bytes, 0, length);
    return (int) checksum.getValue();
  }
}
