package io.tidemark.store.table;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.store.StoragePath;
import io.tidemark.store.partition.HivePartition;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The directories of one table.
 *
 * <pre>
 * /topics/quotes                                       root
 * /topics/quotes/dt=2026-11-21/hour=07/*.avro          published files
 * /topics/quotes/.staging/                             files that are not yet published
 * /topics/quotes/.tidemark/                            schemas and owners
 * </pre>
 *
 * <p>Hive ignores every path with a component that begins with {@code _} or {@code .}. So the
 * connector's own directories begin with a dot, and nothing published does.
 *
 * @param chosenFor the configured name for which the root was chosen; needed if two names that are
 *     equal in Hive would have the same root, and empty if the roots differ anyway
 */
public record TableLayout(StoragePath root, String chosenFor) {

  private static final int HASH_BYTES = 8;

  public TableLayout(StoragePath root) {
    this(root, "");
  }

  /** {@code topicsDirectory} has the tables of all topics. Example: {@code /topics}. */
  public static TableLayout of(StoragePath topicsDirectory, String topic) {
    return new TableLayout(topicsDirectory.child(visibleName(topic, "")));
  }

  /**
   * Returns the layout of a table that is not named after a topic. No topic's name contains {@code
   * +}. Example: {@code /topics/sales+orders}. If Hive's name differs from the configured one, a
   * hash of that is appended, because two configured names can have the same name in Hive.
   */
  public static TableLayout of(StoragePath topicsDirectory, TableName table, String asNamed) {
    boolean same = asNamed.equalsIgnoreCase(table.toString());
    String name = table.database() + "+" + table.table() + (same ? "" : "+" + hash(asNamed));
    return new TableLayout(topicsDirectory.child(visibleName(name, "")));
  }

  /** Returns the layout of a chosen directory. Components that Hive ignores are renamed. */
  public static TableLayout at(String path, String chosenFor) {
    StoragePath root = new StoragePath("/");
    for (String component : path.split("/", -1)) {
      if (!component.isEmpty()) {
        root = root.child(visibleName(component, ""));
      }
    }
    return new TableLayout(root, chosenFor);
  }

  /** Hidden, and in the table's own encryption zone. */
  public StoragePath stagingRoot() {
    return root.child(".staging");
  }

  public StoragePath metadataDirectory() {
    return root.child(".tidemark");
  }

  public StoragePath partitionDirectory(HivePartition partition) {
    return partition.columns().isEmpty() ? root : root.child(partition.path());
  }

  /** Returns whether the last component of a path is visible to Hive. */
  public static boolean isVisible(StoragePath path) {
    return !path.name().startsWith(".") && !path.name().startsWith("_");
  }

  /**
   * Returns a name with an ending. Hive sees it, and it fits the file system's limit. A leading
   * {@code _} or {@code .} becomes {@code %5F} or {@code %2E}. A name that is too long is cut, and
   * a hash of the whole name is appended. Topics cannot contain {@code %}, so no two get one name.
   */
  static String visibleName(String name, String ending) {
    int maxBytes = StoragePath.COMPONENT_MAX_BYTES - ending.getBytes(UTF_8).length;
    String visible =
        switch (name.charAt(0)) {
          case '_' -> "%5F" + name.substring(1);
          case '.' -> "%2E" + name.substring(1);
          default -> name;
        };
    if (visible.getBytes(UTF_8).length <= maxBytes) {
      return visible + ending;
    }
    String hash = "%" + hash(name);
    int length = visible.length();
    while (visible.substring(0, length).getBytes(UTF_8).length + hash.length() > maxBytes) {
      length--;
    }
    return visible.substring(0, length) + hash + ending;
  }

  /** Returns 16 hexadecimal digits of a hash. */
  static String hash(String name) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(name.getBytes(UTF_8));
      return HexFormat.of().formatHex(digest, 0, HASH_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
