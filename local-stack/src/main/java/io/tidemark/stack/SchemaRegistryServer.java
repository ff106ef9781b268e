package io.tidemark.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A schema registry (Apicurio) that speaks the REST API of Confluent's and keeps its schemas. */
public final class SchemaRegistryServer extends StackService {

  private static final String NAME = "registry";
  private static final int HEAP_MEGABYTES = 384;

  private final String url;
  private final ServerProcess process;

  SchemaRegistryServer(InstalledServers servers, StackFiles files, Watchdog watchdog) {
    int port = FreePorts.next();
    url = "http://localhost:" + port + "/apis/ccompat/v7";
    Path database = files.data(NAME).resolve("schemas");
    process =
        new ServerProcess(
            NAME,
            new JavaCommand(
                runner(servers.built("registry", "apicurio")).toString(),
                "io.quarkus.runner.GeneratedMain",
                HEAP_MEGABYTES,
                List.of(
                    "-XX:TieredStopAtLevel=1",
                    "-Dquarkus.http.host=localhost",
                    "-Dquarkus.http.port=" + port,
                    "-Dquarkus.datasource.jdbc.url=jdbc:h2:file:" + database + ";WRITE_DELAY=0",
                    "-Dquarkus.datasource.jdbc.initial-size=2",
                    "-Dquarkus.datasource.jdbc.min-size=2"),
                List.of()),
            files,
            new HttpCheck(URI.create(url + "/subjects"), body -> Optional.empty()),
            watchdog);
  }

  private static Path runner(Path folder) {
    try (DirectoryStream<Path> jars = Files.newDirectoryStream(folder, "*-runner.jar")) {
      return jars.iterator().next();
    } catch (IOException e) {
      throw new UncheckedIOException(folder + " cannot be read", e);
    }
  }

  @Override
  void start() {
    process.start();
  }

  /** The base of the REST API. Example: {@code http://localhost:23456/apis/ccompat/v7}. */
  public String url() {
    return url;
  }

  public ServerProcess process() {
    return process;
  }

  @Override
  List<ServerProcess> processes() {
    return List.of(process);
  }
}
