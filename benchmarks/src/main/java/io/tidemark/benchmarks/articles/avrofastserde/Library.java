package io.tidemark.benchmarks.articles.avrofastserde;

import io.tidemark.benchmarks.articles.ForkedJvm;
import io.tidemark.benchmarks.contenders.IsolatedModule;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A library that reads and writes objects, on the version of Avro that it is measured with. */
enum Library {
  /** The version that avro-fastserde needs. */
  STOCK_1_8("stock 1.8.2", true, "1.8.2"),
  STOCK_1_11("stock 1.11.4", false, "1.11.4"),
  /** The version that ours is built with; its fast reader reads generic records. */
  STOCK_1_12("stock 1.12.1", true, ""),
  FAST_SERDE("fastserde", true, "1.8.2"),
  OURS("ours", true, ""),
  /** Ours, which reads a byte array without a decoder of Avro's. */
  OURS_OF_BYTES("ours, of byte[]", false, "");

  private final String label;
  private final boolean quick;
  private final String avro;

  Library(String label, boolean quick, String avro) {
    this.label = label;
    this.quick = quick;
    this.avro = avro;
  }

  /** The library as the results name it. */
  String label() {
    return label;
  }

  /** Whether a quick run has it. */
  boolean isQuick() {
    return quick;
  }

  /**
   * The class path of its JVM, whose only Avro is its own.
   *
   * @param module the directory of the module benchmarks
   * @param classes of the specific records
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

  /** A class path without Avro's own jar; what that needs stays. */
  static String withoutAvro(String classPath) {
    return List.of(classPath.split(":", -1)).stream()
        .filter(entry -> !String.valueOf(Path.of(entry).getFileName()).matches("avro-\\d.*\\.jar"))
        .collect(Collectors.joining(":"));
  }
}
