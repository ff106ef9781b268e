package io.tidemark.avro.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Apache Avro's own tests of version 1.12.0, run on compiled readers and writers and on the version
 * of Avro of this build. They are all classes of Avro's test jar.
 */
final class AvrosOwnTest {
  /** The files of the test jar that tests open by a path in the module's directory. */
  private static final String FILES = "(share/test|multipleFile)/.*|SchemaBuilder\\.avsc";

  private static final String CHANGED = "fails with the classes of Avro 1.12.1, too";

  /** Tests that cannot pass here, with the reason. */
  private static final Map<String, String> EXCLUDED =
      Map.of(
          "TestBlockingDirectBinaryEncoder.testSkippingUsingBlocks",
          "needs Mockito",
          "TestDataFileConcat.concatenateFiles",
          "asserts with messages, as in JUnit 4",
          "TestSeekableInputStream.illegalSeek",
          "needs JUnit 4",
          "TestReflectLogicalTypes.readUUIDMissingLogicalTypeReflect",
          CHANGED,
          "TestReflectLogicalTypes.writeUUIDMissingLogicalType",
          CHANGED,
          "TestUtf8.hashCodeReused",
          CHANGED);

  /** The property by which Avro's own build trusts the classes that tests name in schemas. */
  private static final String TRUSTED = "org.apache.avro.SERIALIZABLE_PACKAGES";

  /** The limits of this module's tests: Avro's tests of limits expect its defaults. */
  private static final String LIMITS = "org.apache.avro.limits.";

  @Test
  void passOnCompiledReadersAndWriters() throws Exception {
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    var tests = new RemappedTests(AvrosOwnTest.class.getClassLoader());
    tests.unpack(FILES, Path.of("target", "test-classes"));
    Thread.currentThread().setContextClassLoader(tests);
    // Avro's tests also change properties.
    Properties properties = (Properties) System.getProperties().clone();
    System.getProperties().keySet().removeIf(key -> key.toString().startsWith(LIMITS));
    System.setProperty(TRUSTED, "java.lang,java.math,java.io,java.net,org.apache.avro.reflect");
    var outcomes = new Outcomes();
    try {
      LauncherFactory.create().execute(request(tests), outcomes);
    } finally {
      System.setProperties(properties);
      Thread.currentThread().setContextClassLoader(before);
    }
    long compiled =
        (long) tests.loadClass(AvrosReaders.class.getName()).getMethod("compiled").invoke(null);
    Map<String, String> unexpected = new TreeMap<>(outcomes.failed);
    unexpected.keySet().removeAll(EXCLUDED.keySet());

    assertThat(unexpected).isEmpty();
    assertThat(outcomes.failed).containsOnlyKeys(EXCLUDED.keySet());
    assertThat(outcomes.passed).hasSizeGreaterThan(3_000);
    assertThat(outcomes.passed.stream().map(name -> name.replaceFirst("\\..*", "")))
        .contains(
            "TestGenericData", "TestSpecificDatumReader", "TestReflect", "TestDataFileReader");
    assertThat(outcomes.passed.stream().map(name -> name.replaceFirst("\\..*", "")).distinct())
        .hasSizeGreaterThan(90);
    assertThat(compiled).isGreaterThan(10_000);
  }

  private static LauncherDiscoveryRequest request(RemappedTests tests)
      throws ClassNotFoundException {
    var request = LauncherDiscoveryRequestBuilder.request();
    for (String name : tests.names()) {
      request.selectors(selectClass(tests.loadClass(name)));
    }
    return request.build();
  }

  private static final class Outcomes implements TestExecutionListener {
    private final List<String> passed = new ArrayList<>();
    private final Map<String, String> failed = new TreeMap<>();

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      if (result.getStatus() != TestExecutionResult.Status.SUCCESSFUL) {
        failed.put(name(test), String.valueOf(result.getThrowable().orElse(null)));
      } else if (test.isTest()) {
        passed.add(name(test));
      }
    }

    /** Example: {@code TestGenericData.arrayRemove}. */
    private static String name(TestIdentifier test) {
      return test.getSource()
          .map(
              source ->
                  source instanceof MethodSource method
                      ? method.getClassName().replaceFirst(".*\\.", "")
                          + "."
                          + method.getMethodName()
                      : String.valueOf(source))
          .orElseGet(test::getDisplayName);
    }
  }
}
