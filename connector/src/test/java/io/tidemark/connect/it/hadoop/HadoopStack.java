package io.tidemark.connect.it.hadoop;

import io.tidemark.stack.LocalStack;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/** A stack of its own for tests of Hadoop's production features. Used by one thread. */
abstract sealed class HadoopStack implements AutoCloseable permits SecuredStack, HaStack {

  private final LocalStack services;

  HadoopStack(LocalStack services) {
    this.services = services;
  }

  static Path newDirectory() {
    try {
      return Files.createTempDirectory(Path.of("target"), "stack-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public LocalStack services() {
    return services;
  }

  /** Returns a new configuration for Hadoop's client, with settings that override those needed. */
  public Configuration configuration(Map<String, String> settings) {
    Configuration configuration = new Configuration(false);
    configuration.addResource("core-default.xml");
    services.hdfs().clientSettings().forEach(configuration::set);
    settings.forEach(configuration::set);
    return configuration;
  }

  /** Returns a new file system of the current user. The caller closes it. */
  public FileSystem newFileSystem(Configuration configuration) throws IOException {
    return FileSystem.newInstance(services.hdfs().uri(), configuration);
  }

  public URI uri() {
    return services.hdfs().uri();
  }

  /** Sets what the tests of one class need in this JVM. */
  void enter() {}

  /** Removes it. */
  void leave() {}

  /** Repairs what a test has broken. */
  abstract void mend();

  @Override
  public void close() {
    services.close();
  }
}
