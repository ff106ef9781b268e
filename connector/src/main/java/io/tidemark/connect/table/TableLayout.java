package io.tidemark.connect.table;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.connect.storage.StoragePath;
import io.tidemark.connect.table.partition.HivePartition;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Where the files of one table lie.
 *
 * <pre>
 * /topics/quotes                                       root
 * /topics/quotes/dt=2026-11-21/hour=07/*.avro          published files
 * /topics/quotes/.staging/                             files that are still written
 * /topics/quotes/.tidemark/                            schemas and owners
 * </pre>
 *
 * <p>Hive sees no file below a component that begins with {@code _} or {@code .}: so our own
 * directories begin with a dot, and nothing published does.
 *
 * @param root the directory of the table
 * @param chosenFor what the root was chosen for, where several names that only Hive cannot tell
 *     apart would have the same one; empty where the root tells them apart
 */
public record TableLayout(StoragePath root, String chosenFor) {

  /** The file system's limit for one component of a path. */
  static final int COMPONENT_MAX_BYTES = 255;

  private static final int HASH_HEX_DIGITS = 16;

  /** A table whose root is of no other. */
  public TableLayout(StoragePath root) {
    this(root, "");
  }

  /**
   * The table of a topic.
   *
   * @param topicsDirectory where the tables of all topics lie. Example: {@code /topics}
   */
  public static TableLayout of(StoragePath topicsDirectory, String topic) {
    return new TableLayout(topicsDirectory.child(visibleName(topic, COMPONENT_MAX_BYTES)));
  }

  /**
   * A table that is not named after a topic. Topics have no {@code +}, so none of them has this
   * root. Example: {@code /topics/sales+orders}
   *
   * @param asNamed the name as it was chosen; where Hive has another, a hash of it ends the root's,
   *     so that names which only Hive cannot tell apart have a root each
   */
  public static TableLayout of(StoragePath topicsDirectory, TableName table, String asNamed) {
    boolean same = asNamed.equalsIgnoreCase(table.toString());
    String name = table.database() + "+" + table.table() + (same ? "" : "+" + hash(asNamed));
    return new TableLayout(topicsDirectory.child(visibleName(name, COMPONENT_MAX_BYTES)));
  }

  /**
   * A table in a directory that the user has chosen. Its components are as Hive can see them.
   *
   * @param path absolute. Example: {@code /warehouse/sales.db/orders}
   * @param chosenFor what tells it from a table whose name is the same in Hive alone
   */
  public static TableLayout at(String path, String chosenFor) {
    StoragePath root = new StoragePath("/");
    for (String component : path.split("/", -1)) {
      if (!component.isEmpty()) {
        root = root.child(visibleName(component, COMPONENT_MAX_BYTES));
      }
    }
    return new TableLayout(root, chosenFor);
  }

  /** Where files lie until they are published: hidden, and in the table's own encryption zone. */
  public StoragePath stagingRoot() {
    return root.child(".staging");
  }

  /** Where the table's schemas and owners lie. */
  public StoragePath metadataDirectory() {
    return root.child(".tidemark");
  }

  /** Where the published files of a Hive partition lie. */
  public StoragePath partitionDirectory(HivePartition partition) {
    return partition.columns().isEmpty() ? root : root.child(partition.path());
  }

  /** Whether Hive sees what stands at a path, by its last component. */
  public static boolean isVisible(StoragePath path) {
    return !path.name().startsWith(".") && !path.name().startsWith("_");
  }

  /**
   * A name as Hive can see it and the file system can hold it: a leading {@code _} or {@code .} is
   * written {@code %5F} or {@code %2E}, and a name that is too long is cut and ends in a hash of
   * the whole. Topics have no {@code %}, so no two of them meet in one name.
   */
  static String visibleName(String name, int maxBytes) {
    String visible =
        switch (name.charAt(0)) {
          case '_' -> "%5F" + name.substring(1);
          case '.' -> "%2E" + name.substring(1);
          default -> name;
        };
    if (visible.getBytes(UTF_8).length <= maxBytes) {
      return visible;
    }
    String tail = "%" + hash(name);
    int end = visible.length();
    while (visible.substring(0, end).getBytes(UTF_8).length + tail.length() > maxBytes) {
      end--;
    }
    return visible.substring(0, end) + tail;
  }

  /** A short hash of a name that is too long to stand whole. */
  static String hash(String name) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(name.getBytes(UTF_8));
      return HexFormat.of().formatHex(digest).substring(0, HASH_HEX_DIGITS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
