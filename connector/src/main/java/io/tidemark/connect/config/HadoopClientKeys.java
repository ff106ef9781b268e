package io.tidemark.connect.config;

import io.tidemark.store.IndentedTexts;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigException;

/**
 * The keys with the prefix {@code hadoop.}: settings of Hadoop's client over those of {@code
 * hadoop.conf.dir}. Who may change a configuration may not read the worker or run code in it, and
 * Hadoop's settings can do both: they name classes, programs and files, with variables such as
 * {@code ${env.SECRET}}. So hadoop-keys.txt has the permitted settings and values.
 */
final class HadoopClientKeys {
  private static final String PREFIX = "hadoop.";
  private static final Set<String> NOT_HADOOPS =
      Set.of(ConnectorConfig.HADOOP_CONF_DIR, "hadoop.home");
  private static final String CREDENTIALS = "hadoop.security.credential.provider.path";

  /** The permitted settings by their names in Hadoop. A name may end in a star. */
  private static final Map<String, Form> FORMS = new HashMap<>();

  /** The keys with this prefix, also those that are not settings of Hadoop. */
  private static final Set<String> KEYS = new HashSet<>(NOT_HADOOPS);

  static {
    IndentedTexts.read(HadoopClientKeys.class, "hadoop-keys.txt")
        .forEach(
            (head, names) -> {
              String[] form = head.split(" \\| ", 2);
              for (String name : names.split(" ", -1)) {
                FORMS.put(name, new Form(form[0], Pattern.compile(form[1])));
                KEYS.add(name.startsWith(PREFIX) ? name : PREFIX + name);
              }
            });
  }

  private record Form(String words, Pattern values) {}

  private HadoopClientKeys() {}

  static Set<String> names() {
    return Collections.unmodifiableSet(FORMS.keySet());
  }

  static boolean isOne(String key) {
    return key.startsWith(PREFIX) && !NOT_HADOOPS.contains(key);
  }

  /** Returns the settings of a configuration by their names in Hadoop. */
  static Map<String, String> settings(Map<String, String> given) {
    Map<String, String> settings = new HashMap<>();
    given.forEach(
        (key, value) -> {
          problem(key, value)
              .ifPresent(
                  problem -> {
                    throw new ConfigException(key + " " + problem);
                  });
          if (isOne(key)) {
            settings.put(name(key), value.strip());
          }
        });
    return settings;
  }

  /** Examples: dfs.replication of hadoop.dfs.replication; hadoop.rpc.protection is a name. */
  private static String name(String key) {
    return FORMS.containsKey(key) ? key : key.substring(PREFIX.length());
  }

  private static boolean isOf(String setting, String name) {
    return setting.endsWith("*")
        ? name.startsWith(setting.substring(0, setting.length() - 1))
        : name.equals(setting);
  }

  /** Returns why a setting is refused; empty if it is permitted, and for keys of others. */
  static Optional<String> problem(String key, String value) {
    if (!isOne(key)) {
      return Optional.empty();
    }
    String name = name(key);
    Optional<Form> form =
        FORMS.keySet().stream().filter(each -> isOf(each, name)).findFirst().map(FORMS::get);
    if (form.isEmpty()) {
      return Optional.of(
          "is refused. A configuration cannot have settings of Hadoop that load classes, name files or apply to all connectors of a worker, nor unknown ones. "
              + UnknownKeys.similar(key, KEYS)
                  .map(UnknownKeys::suggestion)
                  .orElse(
                      "Set it in core-site.xml or hdfs-site.xml of hadoop.conf.dir, or remove it."));
    }
    return form.get().values().matcher(value.strip()).matches()
            && (!name.equals(CREDENTIALS) || LocalFiles.isPermitted(value.strip()))
        ? Optional.empty()
        : Optional.of(
            "is refused: its value is not %s. Correct it, or set it in core-site.xml or hdfs-site.xml of hadoop.conf.dir."
                .formatted(form.get().words()));
  }
}
