package io.tidemark.connect.config;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * The check of the local files that a configuration names. The worker writes them with its own
 * rights, so they must be in the directory that a system property of the worker names.
 */
public final class LocalFiles {
  public static final String DIRECTORY = "tidemark.local.directory";

  private static final String CACHE_FILE = "schema.registry.cache.file";
  private static final String PROBLEM =
      "\"%s\" is refused: local files must be in the directory that the system property tidemark.local.directory of the worker names, and their paths without '..' and without links to other places. Choose a path there. Or let who runs the workers set the property.";

  private LocalFiles() {}

  /** Returns the keys of files that the worker does not permit, each with problem and cure. */
  public static Map<String, String> problems(ConnectorConfig config) {
    Map<String, String> problems = new LinkedHashMap<>();
    String store = config.text(ConnectorConfig.STORE_URL);
    String cache = config.text(CACHE_FILE).strip();
    if (store.startsWith("file:") && !isPermitted(store, url -> Path.of(URI.create(url)))) {
      problems.put(ConnectorConfig.STORE_URL, PROBLEM.formatted(store));
    }
    if (!cache.isEmpty() && !isPermitted(cache, Path::of)) {
      problems.put(CACHE_FILE, PROBLEM.formatted(cache));
    }
    return problems;
  }

  /** Whether a URL such as jceks://file/srv/tidemark/secrets.jceks names a permitted file. */
  static boolean isPermitted(String url) {
    return isPermitted(Path.of(URI.create(url).getPath()));
  }

  /** Whether it may be used, or is not a path, which another check reports. */
  private static boolean isPermitted(String text, Function<String, Path> path) {
    return ConfigForms.value(text, path).map(LocalFiles::isPermitted).orElse(true);
  }

  private static boolean isPermitted(Path file) {
    String directory = System.getProperty(DIRECTORY, "");
    Path absolute = file.toAbsolutePath();
    try {
      return !directory.isEmpty()
          && absolute.equals(absolute.normalize())
          && real(absolute).startsWith(real(Path.of(directory).toAbsolutePath().normalize()));
    } catch (IOException e) {
      return false; // A link that leads nowhere.
    }
  }

  /** Returns the place to which links lead, also of a file that does not exist yet. */
  private static Path real(Path path) throws IOException {
    Path existing = path;
    while (existing.getParent() != null && !Files.exists(existing, LinkOption.NOFOLLOW_LINKS)) {
      existing = existing.getParent();
    }
    return existing.toRealPath().resolve(existing.relativize(path));
  }
}
