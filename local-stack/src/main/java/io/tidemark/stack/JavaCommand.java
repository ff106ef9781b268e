package io.tidemark.stack;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The command that starts a Java program: JDK, heap, class path, options, main class and arguments.
 *
 * @param javaHome the folder of the JDK
 * @param heapMegabytes the maximum heap in MiB
 * @param environment environment variables in addition to those of this JVM
 */
record JavaCommand(
    Path javaHome,
    String classPath,
    String mainClass,
    int heapMegabytes,
    List<String> jvmOptions,
    List<String> arguments,
    Map<String, String> environment)
    implements Command {

  JavaCommand {
    if (heapMegabytes <= 0) {
      throw new IllegalArgumentException(
          mainClass + ": a heap of " + heapMegabytes + " MiB; set more than 0");
    }
    jvmOptions = List.copyOf(jvmOptions);
    arguments = List.copyOf(arguments);
    environment = Map.copyOf(environment);
  }

  /** Creates a command for the Java that runs this program. */
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

  /** Creates a command with the environment of this JVM. */
  JavaCommand(
      Path javaHome,
      String classPath,
      String mainClass,
      int heapMegabytes,
      List<String> jvmOptions,
      List<String> arguments) {
    this(javaHome, classPath, mainClass, heapMegabytes, jvmOptions, arguments, Map.of());
  }

  /** Returns this command with environment variables. */
  JavaCommand with(Map<String, String> variables) {
    return new JavaCommand(
        javaHome, classPath, mainClass, heapMegabytes, jvmOptions, arguments, variables);
  }

  /** The JVM's first compiler alone (C1). With it a server starts faster, and is slower later. */
  static final String FIRST_COMPILER = "-XX:TieredStopAtLevel=1";

  /** Up to this heap, one thread collects garbage faster than several on a small machine. */
  private static final int SMALL_HEAP_MEGABYTES = 1_024;

  @Override
  public String program() {
    return mainClass;
  }

  @Override
  public List<String> commandLine() {
    List<String> line = new ArrayList<>();
    line.add(javaHome.resolve("bin").resolve("java").toString());
    line.add("-Xmx" + heapMegabytes + "m");
    line.add("-XX:+ExitOnOutOfMemoryError");
    if (heapMegabytes <= SMALL_HEAP_MEGABYTES) {
      line.add("-XX:+UseSerialGC");
    }
    line.add("-Djava.net.preferIPv4Stack=true");
    line.addAll(jvmOptions);
    line.add("-cp");
    line.add(classPath);
    line.add(mainClass);
    line.addAll(arguments);
    return line;
  }
}
