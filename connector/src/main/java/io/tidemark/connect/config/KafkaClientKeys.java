package io.tidemark.connect.config;

import java.io.File;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The keys with the prefix {@code kafka.} with which a configuration could run code in the worker,
 * or send its files elsewhere. Connect applies the worker's {@code
 * connector.client.config.override.policy} only to keys such as {@code consumer.override.}, and
 * does not show it to a connector. So these keys have a policy of their own: they may name what
 * belongs to Kafka's clients, and what a system property of the worker lists.
 */
final class KafkaClientKeys {
  /** Lists further values, separated by commas; of {@code kafka.sasl.jaas.config} the class. */
  static final String ALLOWED = "tidemark.kafka.allowed";

  private static final String LOGIN = "kafka.sasl.jaas.config";

  /** Keys of classes and programs, and of places from which a client reads what it sends. */
  private static final Pattern KEYS =
      Pattern.compile(
          "kafka\\.((.*\\.)?(class|classes|reporters|providers|serializer|deserializer)"
              + "|partition\\.assignment\\.strategy|sasl\\.(kerberos\\.kinit\\.cmd|jaas\\.config)"
              + "|sasl\\.oauthbearer\\..*\\.(url|file)|ssl\\.(key|trust)store\\.location)");

  private static final Pattern OF_KAFKA =
      Pattern.compile(
          "|org\\.apache\\.kafka\\.(common|clients)\\.[\\w.$]+|(?i:https?)://.*"
              + "|com\\.(sun|ibm)\\.security\\.auth\\.module\\.Krb5LoginModule|/usr/bin/kinit");

  private KafkaClientKeys() {}

  /** Returns why a setting is refused; empty if it is permitted, and for keys of others. */
  static Optional<String> problem(String key, String value) {
    if (!KEYS.matcher(key).matches()) {
      return Optional.empty();
    }
    if (key.endsWith("store.location")) {
      File store = new File(value.strip());
      return store.isFile() || !store.exists()
          ? Optional.empty()
          : Optional.of(
              "is refused: it is a directory, a device or a pipe, which a client would read without end. Name a file.");
    }
    List<String> allowed = List.of(System.getProperty(ALLOWED, "").split("\\s*,\\s*", -1));
    for (String name : value.strip().split(key.equals(LOGIN) ? "(?s)\\s.*" : "\\s*,\\s*", -1)) {
      boolean isKafkas = OF_KAFKA.matcher(name).matches();
      boolean isComment = key.equals(LOGIN) && name.contains("/"); // The login module is behind it.
      if (!name.startsWith("${") // which nothing resolves
          && (isComment || !(isKafkas || allowed.contains(name)))) {
        return Optional.of(
            "is refused: its value is a class, a program or a file that Kafka's clients would run or send with the rights of the worker, and that does not belong to Kafka. Remove the key. Or let who runs the worker add the value (of %s the class) to the system property %s of every worker."
                .formatted(LOGIN, ALLOWED));
      }
    }
    return Optional.empty();
  }
}
