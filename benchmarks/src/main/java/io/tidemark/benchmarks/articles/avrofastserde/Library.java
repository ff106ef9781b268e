package io.tidemark.benchmarks.articles.avrofastserde;

import io.tidemark.benchmarks.articles.ForkedJvm;
import io.tidemark.benchmarks.contenders.IsolatedModule;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A library that reads and writes objects, with its version of Avro. */
enum Library {
  /** The version that avro-fastserde needs. */
  STOCK_1_8("stock 1.8.2", true, "1.8.2"),
  STOCK_1_11("stock 1.11.4", false, "1.11.4"),
  /** The version that fast-avro is built with; its fast reader reads generic records. */
  STOCK_1_12("stock 1.12.1", true, ""),
  FAST_SERDE("fastserde", true, "1.8.2"),
  OURS("ours", true, ""),
  /** Tidemark's, which reads a byte array without a decoder of Avro's. */
  OURS_OF_BYTES("ours, of byte[]", false, ""),
  /** Tidemark's reader with a decoder that has all values already: it only creates the objects. */
  DECODED("ours, already decoded", false, "");

  private final String label;
  private final boolean quick;
  private final String avro;

  Library(String label, boolean quick, String avro) {
    this.label = label;
    this.quick = quick;
    this.avro = avro;
  }

  /** Returns the library's name in the results. */
  String label() {
    return label;
  }

  /** Returns whether its writer is measured: the last two would write as {@link #OURS} does. */
  boolean writes() {
    return this != OURS_OF_BYTES && this != DECODED;
  }

  /** Returns whether a quick run includes it. */
  boolean isQuick() {
    return quick;
  }

  /**
   * Returns the class path of its JVM, with only its version of Avro.
   *
   * @param module the directory of the module benchmarks
   * @param classes the folder of the specific records' classes
   */
  String classPath(Path module, Path classes) {
    var entries = new ArrayList<String>();
    entries.add(classes.toString());
    switch (avro) {
      case "" -> entries.add(ForkedJvm.ownClassPath());
      case "1.8.2" -> {
        entries.add(module.resolve("target/classes").toString());
        entries.add(IsolatedModule.FAST_SERDE.classPath());
      }
      default -> {
        entries.add(module.resolve("target/avro/avro-" + avro + ".jar").toString());
        entries.add(withoutAvro(ForkedJvm.ownClassPath()));
      }
    }
    return String.join(":", entries);
  }

  /** Removes Avro's own jar from a class path, but not its dependencies. */
  static String withoutAvro(String classPath) {
    return List.of(classPath.split(":", -1)).stream()
        .filter(entry -> !String.valueOf(Path.of(entry).getFileName()).matches("avro-\\d.*\\.jar"))
        .collect(Collectors.joining(":"));
  }
}
