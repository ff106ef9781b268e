package io.tidemark.stack;

import io.tidemark.stack.release.SchemaRepoRelease;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A schema registry (schema-repo) with the REST API of AVRO-1124. It stores its schemas on disk.
 */
public final class SchemaRepoServer extends StackService {

  private static final String NAME = "schema-repo";
  private static final int HEAP_MEGABYTES = 128;

  private final String url;
  private final ServerProcess process;

  SchemaRepoServer(InstalledServers servers, StackFiles files, Watchdog watchdog) {
    int port = FreePorts.next();
    url = "http://localhost:" + port + "/schema-repo";
    Path properties =
        files.writeProperties(
            NAME,
            "server.properties",
            Map.of(
                "schema-repo.class",
                "org.schemarepo.LocalFileSystemRepository",
                "schema-repo.local-file-system.path",
                files.data(NAME).resolve("schemas").toString(),
                "schema-repo.jetty.host",
                "localhost",
                "schema-repo.jetty.port",
                Integer.toString(port)));
    process =
        new ServerProcess(
            NAME,
            new JavaCommand(
                servers.classPath(SchemaRepoRelease.SCHEMA_REPO_0_1.folder()),
                "org.schemarepo.server.RepositoryServer",
                HEAP_MEGABYTES,
                // For its dependency injection, which generates classes at run time.
                List.of(JavaCommand.FIRST_COMPILER, "--add-opens=java.base/java.lang=ALL-UNNAMED"),
                List.of(properties.toString())),
            files,
            new HttpCheck(URI.create(url + "/"), body -> Optional.empty()),
            watchdog);
  }

  @Override
  void start() {
    process.start();
  }

  /** Returns the base URL of the REST API. Example: {@code http://localhost:23456/schema-repo}. */
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
