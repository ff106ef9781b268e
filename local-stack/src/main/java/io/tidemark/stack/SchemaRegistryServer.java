package io.tidemark.stack;

import io.tidemark.stack.release.RegistryRelease;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A schema registry (Apicurio) with the REST API of Confluent's. It stores its schemas on disk. */
public final class SchemaRegistryServer extends StackService {

  private static final String NAME = "registry";
  private static final int HEAP_MEGABYTES = 384;

  private final String url;
  private final ServerProcess process;

  SchemaRegistryServer(
      InstalledServers servers, StackFiles files, Watchdog watchdog, RegistryRelease release) {
    int port = FreePorts.next();
    url = "http://localhost:" + port + "/apis/ccompat/v7";
    List<String> jvmOptions =
        new ArrayList<>(
            List.of(
                JavaCommand.FIRST_COMPILER,
                "-Dquarkus.http.host=localhost",
                "-Dquarkus.http.port=" + port));
    jvmOptions.addAll(release.databaseOptions(files.data(NAME).resolve("schemas")));
    process =
        new ServerProcess(
            NAME,
            new JavaCommand(
                JavaInstallation.of(release).home(),
                jar(servers.built(release.folder(), release.directory()), release.jar()).toString(),
                release.mainClass(),
                HEAP_MEGABYTES,
                jvmOptions,
                List.of()),
            files,
            new HttpCheck(URI.create(url + "/subjects"), body -> Optional.empty()),
            watchdog);
  }

  private static Path jar(Path folder, String pattern) {
    try (DirectoryStream<Path> jars = Files.newDirectoryStream(folder, pattern)) {
      return jars.iterator().next();
    } catch (IOException e) {
      throw new UncheckedIOException(folder + " cannot be read", e);
    }
  }

  @Override
  void start() {
    process.start();
  }

  /**
   * Returns the base URL of the REST API. Example: {@code http://localhost:23456/apis/ccompat/v7}.
   */
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
