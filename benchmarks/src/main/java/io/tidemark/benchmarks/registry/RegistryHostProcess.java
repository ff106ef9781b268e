package io.tidemark.benchmarks.registry;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;

/** A {@link RegistryHost} in a separate JVM, which ends when this is closed or this JVM ends. */
public final class RegistryHostProcess implements AutoCloseable {
  private final Process process;
  private final String url;

  private RegistryHostProcess(Process process, String url) {
    this.process = process;
    this.url = url;
  }

  /** Starts a host and waits until it answers. */
  public static RegistryHostProcess start() throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-Dsun.net.httpserver.nodelay=true",
                "-cp",
                System.getProperty("java.class.path"),
                RegistryHost.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String url = process.inputReader(UTF_8).readLine();
    if (url == null) {
      throw new IllegalStateException("the host of the lookups has not started, see above");
    }
    return new RegistryHostProcess(process, url);
  }

  /** Returns its base URL. Example: {@code http://localhost:40123}. */
  public String url() {
    return url;
  }

  /** Ends the process and waits for its end. */
  @Override
  public void close() throws IOException {
    // The process ends with its input.
    process.getOutputStream().close();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
