package io.tidemark.stack;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * How a Java program is started: its JVM, its class path, its main class and what the JVM is told.
 *
 * @param javaHome the folder of the JDK
 * @param heapMegabytes the largest heap of the JVM
 */
record JavaCommand(
    Path javaHome,
    String classPath,
    String mainClass,
    int heapMegabytes,
    List<String> jvmOptions,
    List<String> arguments) {

  JavaCommand {
    if (heapMegabytes <= 0) {
      throw new IllegalArgumentException(
          mainClass + ": a heap of " + heapMegabytes + " MiB is none; give more than 0");
    }
    jvmOptions = List.copyOf(jvmOptions);
    arguments = List.copyOf(arguments);
  }

  /** A program for the Java that runs this one. */
  JavaCommand(
      String classPath,
      String mainClass,
      int heapMegabytes,
      List<String> jvmOptions,
      List<String> arguments) {
    this(
        JavaInstallation.ofThisJvm().home(),
        classPath,
        mainClass,
        heapMegabytes,
        jvmOptions,
        arguments);
  }

  /** The command line. */
  List<String> commandLine() {
    List<String> line = new ArrayList<>();
    line.add(javaHome.resolve("bin").resolve("java").toString());
    line.add("-Xmx" + heapMegabytes + "m");
    line.add("-XX:+ExitOnOutOfMemoryError");
    line.add("-Djava.net.preferIPv4Stack=true");
    line.addAll(jvmOptions);
    line.add("-cp");
    line.add(classPath);
    line.add(mainClass);
    line.addAll(arguments);
    return line;
  }
}
