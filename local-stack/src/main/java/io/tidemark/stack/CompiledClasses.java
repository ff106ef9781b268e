package io.tidemark.stack;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Classes of a secured server that its release lacks, compiled in front of its class path.
 *
 * @param server the server, for errors
 * @param conf the first folder of the server's class path
 * @param classPath the jars of the server
 */
record CompiledClasses(String server, Path conf, String classPath) {

  /**
   * With Kerberos, Hadoop opens the files of a shuffle only with native code, which is not on Maven
   * Central. This class of the same name does without.
   */
  static final String SECURE_IO = "SecureIOUtils.java";

  /**
   * Where Hive uses TLS, it overrides Hadoop's setting of the protection for its whole process with
   * {@code authentication}, so that an HDFS with more would refuse it. This class reads {@link
   * #PROTECTION} instead.
   */
  static final String FIXED_PROTECTION = "FixedProtection.java";

  static final String PROTECTION = "tidemark.protection";

  /** An authorizer of name nodes: see {@link Security#policies}. */
  static final String POLICY_PROVIDER = "PolicyProvider.java";

  /** An authorizer of the Metastore. */
  static final String POLICY_LISTENER = "PolicyListener.java";

  static final String POLICIES = "tidemark.policies";

  void compile(String name) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    if (compiler == null) {
      throw new IllegalStateException(server + ": this Java has no compiler. Use a JDK.");
    }
    Path source = conf.resolve(name);
    StringWriter errors = new StringWriter();
    try (InputStream resource = CompiledClasses.class.getResourceAsStream(name + ".txt");
        StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
      if (resource == null) {
        throw new IllegalStateException(name + ".txt is missing: build local-stack");
      }
      Files.write(source, resource.readAllBytes());
      boolean compiled =
          compiler
              .getTask(
                  errors,
                  manager,
                  null,
                  List.of("-proc:none", "-nowarn", "-cp", classPath, "-d", conf.toString()),
                  null,
                  manager.getJavaFileObjects(source))
              .call();
      if (!compiled) {
        throw new IllegalStateException(source + " cannot be compiled: " + errors);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(source + " cannot be compiled", e);
    }
  }
}
