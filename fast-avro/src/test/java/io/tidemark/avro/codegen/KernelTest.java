package io.tidemark.avro.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.tidemark.avro.AvroLibrary;
import io.tidemark.avro.RandomAvro;
import io.tidemark.avro.plan.BatchRunner;
import io.tidemark.avro.plan.Plan;
import io.tidemark.avro.plan.Planner;
import io.tidemark.avro.plan.SourceDatums;
import io.tidemark.avro.plan.TableDatums;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** The form of generated classes; other tests check their results. */
final class KernelTest {
  /** The JIT compiler does not compile methods of more than 8000 bytes. */
  private static final int MAX_METHOD_BYTES = 2000;

  private static final List<String> TYPES =
      List.of(
          "\"string\"",
          "\"double\"",
          "[\"null\", \"string\"]",
          "[\"null\", \"long\", \"string\"]",
          "{\"type\": \"array\", \"items\": \"int\"}",
          "{\"type\": \"map\", \"values\": [\"null\", \"boolean\"]}");

  private static final List<String> ALIKE = List.of("[\"null\", \"string\"]", "\"long\"");

  private static final List<String> WRITTEN =
      List.of(
          "\"string\"",
          "\"int\"",
          "[\"null\", \"float\"]",
          "\"int\"",
          "{\"type\": \"array\", \"items\": \"int\"}",
          "{\"type\": \"map\", \"values\": [\"null\", \"boolean\"]}");

  private static final List<String> WIDER =
      List.of(
          "\"string\"",
          "\"double\"",
          "[\"string\", \"double\", \"null\"]",
          "[\"null\", \"long\"]",
          "{\"type\": \"array\", \"items\": \"double\"}",
          "{\"type\": \"map\", \"values\": [\"boolean\", \"null\"]}");

  @ParameterizedTest
  @ValueSource(ints = {1, 25, 300, 1000})
  void methodsStayFarBelowTheLimitOfTheJit(int fields) {
    var sizes = methodSizes(PlanCompiler.kernelClass(plan(fields, TYPES)).classFile());

    assertThat(sizes).isNotEmpty();
    assertThat(sizes.values()).allMatch(size -> size <= MAX_METHOD_BYTES);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 25, 300, 1000})
  void methodsThatRewriteStayFarBelowTheLimitOfTheJit(int fields) {
    var sizes = methodSizes(PlanCompiler.kernelClass(rewriting(fields)).classFile());

    assertThat(sizes).isNotEmpty();
    assertThat(sizes.values()).allMatch(size -> size <= MAX_METHOD_BYTES);
  }

  @Test
  void partsOfARecordThatAreAlikeShareMethods() {
    assertThat(methodSizes(alike(960))).hasSameSizeAs(methodSizes(alike(24)));
  }

  /** The class of a record in which two types alternate. */
  private static byte[] alike(int fields) {
    Schema schema = plan(fields, ALIKE).tableSchema();
    return PlanCompiler.kernelClass(Planner.plan(schema, schema, List.of())).classFile();
  }

  @Test
  void classOfThePackagesExampleIsAsItIsShown() {
    Schema writer =
        SchemaBuilder.record("Quote")
            .fields()
            .requiredString("symbol")
            .requiredLong("size")
            .endRecord();
    Schema table =
        SchemaBuilder.record("Quote")
            .fields()
            .requiredLong("size")
            .requiredString("symbol")
            .name("venue")
            .type()
            .stringType()
            .stringDefault("XETR")
            .endRecord();

    KernelClass shown = PlanCompiler.kernelClass(Planner.plan(writer, table, List.of()));

    assertThat(methodSizes(shown.classFile()))
        .containsOnlyKeys("<init>", "walkAll", "walk", "emit", "all0", "one1", "emit2");
    assertThat(shown.places()).isEqualTo(3);
    assertThat(shown.constants()).hasSize(1);
    assertThat(shown.constants().get(0).bytes()).containsExactly(0x08, 0x58, 0x45, 0x54, 0x52);
  }

  @Test
  void rewritingCostsNoAllocation() throws Exception {
    assertCostsNoAllocation(rewriting(100));
  }

  @Test
  void recordOfAThousandFieldsIsRewritten() throws Exception {
    Plan plan = rewriting(1000);
    SourceDatums source = datums(plan, 9);
    var target = new TableDatums(0);

    GeneratedRunner.of(plan).run(source, 0, 9, target);

    for (int i = 0; i < 9; i++) {
      Object rewritten =
          AvroLibrary.decode(
              plan.tableSchema(),
              plan.tableSchema(),
              target.bytes(),
              target.offset(i),
              target.end(i) - target.offset(i));
      assertThat(rewritten)
          .isEqualTo(
              AvroLibrary.decode(
                  plan.writerSchema(),
                  plan.tableSchema(),
                  source.bytes(i),
                  source.offset(i),
                  source.length(i)));
    }
  }

  @Test
  void recordOfAThousandFieldsIsCompiled() throws Exception {
    Plan plan = plan(1000, TYPES);
    SourceDatums source = datums(plan, 9);
    var target = new TableDatums(0);

    GeneratedRunner.of(plan).run(source, 0, 9, target);

    assertThat(target.runSize()).isEqualTo(9);
  }

  @Test
  void checkingCostsNoAllocation() throws Exception {
    assertCostsNoAllocation(plan(100, TYPES));
  }

  private static void assertCostsNoAllocation(Plan plan) throws Exception {
    SourceDatums source = datums(plan, 64);
    var target = new TableDatums(1 << 20);
    BatchRunner runner = GeneratedRunner.of(plan);
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    runMany(runner, source, target);

    long before = threads.getCurrentThreadAllocatedBytes();
    runMany(runner, source, target);
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;

    assertThat(allocated / (1000 * 64)).isZero();
  }

  private static SourceDatums datums(Plan plan, int count) {
    var avro = new RandomAvro(1);
    var source = new SourceDatums();
    for (int i = 0; i < count; i++) {
      byte[] datum = AvroLibrary.encode(plan.writerSchema(), avro.datum(plan.writerSchema()));
      source.add(datum, 0, datum.length);
    }
    return source;
  }

  private static void runMany(BatchRunner runner, SourceDatums source, TableDatums target)
      throws Exception {
    for (int i = 0; i < 1000; i++) {
      runner.run(source, 0, source.size(), target);
      target.removeFirst(target.size());
    }
  }

  /** A record whose fields have the given types in turn. */
  private static Plan plan(int count, List<String> types) {
    var fields = SchemaBuilder.record("Wide").fields();
    for (int i = 0; i < count; i++) {
      fields.name("f" + i).type(parse(types.get(i % types.size()))).noDefault();
    }
    Schema schema = fields.endRecord();
    var paths = new ArrayList<String>();
    for (int i = 0; i < count; i += 100) {
      paths.add("f" + i);
    }
    return Planner.plan(schema, schema, paths);
  }

  /**
   * A record as in {@link #plan}. The table's fields have another order, wider types, and some are
   * new.
   */
  private static Plan rewriting(int count) {
    var writer = SchemaBuilder.record("Wide").fields();
    var table = SchemaBuilder.record("Wide").fields();
    var paths = new ArrayList<String>();
    for (int i = 0; i < count; i++) {
      writer.name("f" + i).type(parse(WRITTEN.get(i % WRITTEN.size()))).noDefault();
      int other = i ^ (count > 1 && (i | 1) < count ? 1 : 0);
      table.name("f" + other).type(parse(WIDER.get(other % WIDER.size()))).noDefault();
      if (i % 10 == 0) {
        table.name("added" + i).type().stringType().stringDefault("text");
      }
      if (i % 100 == 0) {
        paths.add("f" + i);
      }
    }
    return Planner.plan(writer.endRecord(), table.endRecord(), paths);
  }

  private static Schema parse(String schema) {
    return new Schema.Parser().parse(schema);
  }

  /** The number of bytes of code of each method of a class. */
  private static Map<String, Integer> methodSizes(byte[] classFile) {
    var sizes = new HashMap<String, Integer>();
    var copy =
        new ClassVisitor(Opcodes.ASM9, new ClassWriter(0)) {
          @Override
          public MethodVisitor visitMethod(
              int access,
              String name,
              String descriptor,
              @Nullable String signature,
              String @Nullable [] exceptions) {
            return new MethodVisitor(
                Opcodes.ASM9, super.visitMethod(access, name, descriptor, signature, exceptions)) {
              @Override
              public void visitMaxs(int maxStack, int maxLocals) {
                var end = new Label();
                visitLabel(end);
                sizes.put(name, end.getOffset());
                super.visitMaxs(maxStack, maxLocals);
              }
            };
          }
        };
    new ClassReader(classFile).accept(copy, 0);
    return sizes;
  }
}
