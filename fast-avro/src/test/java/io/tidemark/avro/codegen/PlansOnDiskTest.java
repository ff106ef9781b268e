package io.tidemark.avro.codegen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.avro.codegen.disk.DiskStatistics;
import io.tidemark.avro.plan.Plan;
import io.tidemark.avro.plan.Planner;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

final class PlansOnDiskTest {
  private static final Plan PLAN = CompilingProgram.plan();
  private static final PlanFile FILE = PlanFile.of(PLAN, PlanFingerprint.of(PLAN));

  @TempDir Path home;
  private Path directory;

  @BeforeEach
  void nameTheDirectory() {
    directory = home.resolve("to").resolve("classes");
  }

  @Test
  void secondStartGeneratesNothing() {
    assertThat(compile(PLAN)).isEqualTo(counts(0, 1, 0));
    assertThat(compile(PLAN)).isEqualTo(counts(1, 0, 0));
    assertThat(compile(PLAN)).isEqualTo(counts(1, 0, 0));
  }

  @Test
  void classIsLoadedWithoutAsm() throws Exception {
    assertThat(withoutAsm()).contains("compiled=0, interpreted=1", "NoClassDefFoundError");

    compile(PLAN);

    assertThat(withoutAsm()).contains("compiled=1, interpreted=0", "loaded=1, stored=0");
  }

  private String withoutAsm() throws Exception {
    Class<?> program = new LoaderWithoutAsm().loadClass(CompilingProgram.class.getName());
    @SuppressWarnings("unchecked") // From another class loader, with an interface of the platform.
    var run = (UnaryOperator<String>) program.getDeclaredConstructor().newInstance();
    return run.apply(directory.toString());
  }

  @Test
  void nothingIsKeptUnlessADirectoryIsNamed() {
    var plans = new CompiledPlans(Runnable::run, 1, CompilerOptions.NONE);

    plans.runner(PLAN);

    assertThat(plans.statistics().disk()).isEqualTo(DiskStatistics.NONE);
    assertThat(CompilerOptions.ofSystemProperties().cacheDirectory()).isEmpty();
  }

  @Test
  void propertiesNameTheDirectoryAndTheLimit() {
    System.setProperty(CompilerOptions.CACHE_PROPERTY, directory.toString());
    System.setProperty(CompilerOptions.CACHE_FILES_PROPERTY, "7");
    try {
      var options = CompilerOptions.ofSystemProperties();
      assertThat(options.cacheDirectory()).contains(directory);
      assertThat(options.cacheFiles()).isEqualTo(7);

      System.setProperty(CompilerOptions.CACHE_FILES_PROPERTY, "many");
      assertThatThrownBy(CompilerOptions::ofSystemProperties)
          .hasMessageContaining("tidemark.codegen.cache.files must be a number, not \"many\"");
    } finally {
      System.clearProperty(CompilerOptions.CACHE_PROPERTY);
      System.clearProperty(CompilerOptions.CACHE_FILES_PROPERTY);
    }
  }

  @Test
  void onlyTheOwnerMayReadOrWrite() throws Exception {
    compile(PLAN);

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
        .isEqualTo("rwx------");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
        .isEqualTo("rw-------");
  }

  @Test
  void fileOfAnotherPlanIsOverwritten() throws Exception {
    compile(numbered(1));
    Files.move(only(), file());

    assertOverwritten();
  }

  @Test
  void fileOfAnotherCompilerIsOverwritten() throws Exception {
    put(new PlanFile("0", FILE.key(), FILE.steps()).encode(generated()));

    assertOverwritten();
  }

  /** As if a release with another planner had written it for the same schemas. */
  @Test
  void fileOfOtherStepsIsOverwritten() throws Exception {
    put(new PlanFile(FILE.generator(), FILE.key(), FILE.steps() + 1).encode(generated()));

    assertOverwritten();
  }

  @Test
  void fileOfAnotherFormatIsOverwritten() throws Exception {
    byte[] other = FILE.encode(generated());
    other["tidemark-class-1".length() - 1] = '0';
    put(PlanFileOnDisk.withChecksum(other));

    assertOverwritten();
  }

  @Test
  void truncatedFileIsOverwritten() throws Exception {
    compile(PLAN);
    byte[] whole = Files.readAllBytes(file());
    put(Arrays.copyOf(whole, whole.length / 2));

    assertOverwritten();
  }

  @Test
  void emptyFileIsOverwritten() throws Exception {
    put(new byte[0]);

    assertOverwritten();
  }

  @Test
  void fileWhoseClassIsNoneIsOverwritten() throws Exception {
    put(FILE.encode(new KernelClass(new byte[] {1, 2, 3}, 0, List.of())));

    assertOverwritten();
  }

  /** Its constructor returns an object without calling the constructor of its superclass. */
  @Test
  void classThatTheVerifierRefusesIsOverwritten() throws Exception {
    put(FILE.encode(new KernelClass(classWithConstructor(Opcodes.RETURN), 0, List.of())));

    assertOverwritten();
  }

  @Test
  void classThatIsNoKernelIsOverwritten() throws Exception {
    byte[] classFile =
        Files.readAllBytes(
            Path.of("target/test-classes", "io/tidemark/avro/codegen", "CompilingProgram.class"));
    put(FILE.encode(new KernelClass(classFile, 0, List.of())));

    assertOverwritten();
  }

  private static byte[] classWithConstructor(int... instructions) {
    var out = new ClassWriter(0);
    String kernel = Kernel.class.getName().replace('.', '/');
    out.visit(Opcodes.V17, Opcodes.ACC_FINAL, KernelWriter.SELF, null, kernel, null);
    MethodVisitor code = out.visitMethod(0, "<init>", "(ILjava/util/List;)V", null, null);
    code.visitCode();
    for (int instruction : instructions) {
      code.visitInsn(instruction);
    }
    code.visitMaxs(3, 3);
    code.visitEnd();
    out.visitEnd();
    return out.toByteArray();
  }

  @Test
  void leastRecentlyUsedFilesGo() throws Exception {
    for (int i = 0; i < 3; i++) {
      assertThat(compile(numbered(i), 3)).isEqualTo(counts(0, 1, 0));
      Files.setLastModifiedTime(file(numbered(i)), FileTime.fromMillis(1_000_000 + i));
    }
    assertThat(compile(numbered(0), 3)).isEqualTo(counts(1, 0, 0));

    compile(numbered(3), 3);

    assertThat(names())
        .containsExactlyInAnyOrder(name(numbered(0)), name(numbered(2)), name(numbered(3)));
  }

  @Test
  void lowerLimitRemovesTheRest() throws Exception {
    for (int i = 0; i < 5; i++) {
      compile(numbered(i), 5);
    }

    compile(numbered(5), 1);

    assertThat(names()).containsExactly(name(numbered(5)));
  }

  @Test
  void filesOfOthersStayAndAbandonedOnesGo() throws Exception {
    Files.createDirectories(directory);
    Path foreign = Files.writeString(directory.resolve("README"), "not mine");
    Path begun = Files.createTempFile(directory, "writing-", null);
    Path abandoned = Files.createTempFile(directory, "writing-", null);
    Files.setLastModifiedTime(abandoned, FileTime.fromMillis(1_000_000));

    compile(PLAN, 1);

    assertThat(directory.toFile().list())
        .containsExactlyInAnyOrder(
            foreign.toFile().getName(), begun.toFile().getName(), name(PLAN));
  }

  @Test
  void limitOfNoFilesIsRefused() {
    assertThatThrownBy(() -> CompilerOptions.NONE.withCache(directory, 0))
        .hasMessage("cacheFiles must be at least 1, not 0");
  }

  @Test
  void directoryThatCannotBeMadeFailsNoCompilation() throws Exception {
    Path file = Files.createFile(home.resolve("file"));
    for (Path unusable : List.of(file, file.resolve("below"))) {
      var plans = new CompiledPlans(Runnable::run, 4, CompilerOptions.NONE.withCache(unusable, 8));

      plans.compileNow(PLAN);
      plans.compileNow(numbered(1));

      assertThat(plans.statistics().compiled()).isEqualTo(2);
      assertThat(plans.statistics().disk().failed()).isGreaterThanOrEqualTo(2);
      assertThat(plans.statistics().disk().stored()).isZero();
      assertThat(plans.statistics().disk().lastFailure().orElseThrow())
          .startsWith(unusable + ": classes cannot be kept on disk")
          .contains("may write to, with room for 8 files");
    }
  }

  @Test
  void directoryThatEverybodyMayWriteToIsNotUsed() throws Exception {
    compile(PLAN);
    byte[] before = Files.readAllBytes(file());
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));

    DiskStatistics disk = compile(PLAN);

    assertThat(disk.loaded() + disk.stored()).isZero();
    assertThat(disk.lastFailure().orElseThrow()).contains("everybody may write there");
    assertThat(Files.readAllBytes(file())).isEqualTo(before);
    assertThat(names()).hasSize(1);
  }

  @Test
  void threadsOfSeveralProgramsShareADirectory() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      var start = new CountDownLatch(1);
      List<Future<DiskStatistics>> outcomes =
          IntStream.range(0, 4)
              .mapToObj(
                  thread ->
                      threads.submit(
                          () -> {
                            start.await();
                            return compileInTurns(thread);
                          }))
              .toList();
      start.countDown();
      long used = 0;
      for (Future<DiskStatistics> outcome : outcomes) {
        DiskStatistics disk = outcome.get();
        assertThat(disk.lastFailure()).isEmpty();
        assertThat(disk.ignored()).isZero();
        used += disk.loaded() + disk.stored();
      }
      assertThat(used).isEqualTo(4 * 60);
      assertThat(names()).hasSizeLessThanOrEqualTo(5 + 3);
      assertThat(names()).allMatch(name -> name.endsWith(".plan"));
    } finally {
      threads.shutdownNow();
    }
  }

  /** Seven plans in a directory for five: each is written and removed again and again. */
  private DiskStatistics compileInTurns(int thread) {
    var compiler = new PlanCompiler(CompilerOptions.NONE.withCache(directory, 5));
    for (int i = 0; i < 60; i++) {
      compiler.compile(numbered((i + thread) % 7));
    }
    return compiler.diskStatistics();
  }

  private void assertOverwritten() {
    assertThat(compile(PLAN)).isEqualTo(counts(0, 1, 1));
    assertThat(compile(PLAN)).isEqualTo(counts(1, 0, 0));
  }

  private static DiskStatistics counts(long loaded, long stored, long ignored) {
    return new DiskStatistics(loaded, stored, ignored, 0, Optional.empty());
  }

  private DiskStatistics compile(Plan plan) {
    return compile(plan, 8);
  }

  /** The statistics of the directory's files after a new program has compiled a plan. */
  private DiskStatistics compile(Plan plan, int files) {
    var options = CompilerOptions.NONE.withCache(directory, files);
    var plans = new CompiledPlans(Runnable::run, 1, options);
    plans.compileNow(plan);
    return plans.statistics().disk();
  }

  private static KernelClass generated() {
    return PlanCompiler.kernelClass(PLAN);
  }

  private static Plan numbered(int number) {
    Schema schema = Schema.createFixed("Fixed" + number, null, null, number);
    return Planner.plan(schema, schema, List.of());
  }

  private void put(byte[] content) throws Exception {
    Files.createDirectories(directory);
    Files.write(file(), content);
  }

  private Path file() {
    return file(PLAN);
  }

  private Path file(Plan plan) {
    return directory.resolve(name(plan));
  }

  private static String name(Plan plan) {
    return PlanFingerprint.of(plan).sha256() + ".plan";
  }

  private Path only() throws Exception {
    return directory.resolve(names().get(0));
  }

  private List<String> names() throws Exception {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.toFile().getName()).toList();
    }
  }
}
