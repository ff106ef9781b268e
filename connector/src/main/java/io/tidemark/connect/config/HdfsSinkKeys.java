package io.tidemark.connect.config;

import io.tidemark.store.IndentedTexts;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The keys of Confluent's HDFS sink (versions 2 and 3), and what they mean in this connector. */
public final class HdfsSinkKeys {

  /** The handling of a key by validation. */
  public enum Verdict {
    /** The key has the same meaning. */
    KEPT,
    /** The key is ignored or read as another key, and a warning is logged. */
    WARNED,
    /** The key requests a behaviour that this connector does not have. */
    REJECTED
  }

  /**
   * A key of Confluent's sink, or a prefix of keys, which ends in a dot; and its meaning in this
   * connector, or the key to set instead.
   *
   * @param harmless the value of a rejected key that is accepted, because it requests this
   *     connector's behaviour; for a class name the last part is enough
   */
  public record Key(String name, Verdict verdict, String text, Optional<String> harmless) {

    private boolean isOf(String key) {
      return name.endsWith(".") ? key.startsWith(name) : key.equals(name);
    }

    public boolean isHarmless(String value) {
      String trimmed = value.trim();
      return harmless
          .filter(
              accepted ->
                  accepted.equals(trimmed)
                      || accepted.equals(trimmed.substring(trimmed.lastIndexOf('.') + 1)))
          .isPresent();
    }
  }

  // directory.delim: rejected, except "/"
  private static final Pattern HEAD =
      Pattern.compile("([^ ]+): (kept|warned|rejected)(?:, except \"(.*)\")?");

  /** All keys, in the order of CONFIG.md. */
  static final List<Key> ALL =
      IndentedTexts.read(HdfsSinkKeys.class, "hdfs-sink-keys.txt").entrySet().stream()
          .map(each -> key(each.getKey(), each.getValue()))
          .toList();

  private static final Map<String, String> DEFAULTS =
      IndentedTexts.read(HdfsSinkKeys.class, "hdfs-sink-defaults.txt");

  private HdfsSinkKeys() {}

  private static Key key(String head, String text) {
    Matcher parts = HEAD.matcher(head);
    if (!parts.matches()) {
      throw new IllegalStateException("hdfs-sink-keys.txt: " + head);
    }
    return new Key(
        parts.group(1),
        Verdict.valueOf(parts.group(2).toUpperCase(Locale.ROOT)),
        text,
        Optional.ofNullable(parts.group(3)));
  }

  /** Empty if Confluent's sink has no such key. */
  public static Optional<Key> of(String key) {
    return ALL.stream().filter(each -> each.isOf(key)).findFirst();
  }

  static Map<String, String> refused(Map<String, String> named) {
    Map<String, String> refused = new LinkedHashMap<>();
    for (Map.Entry<String, String> each : named.entrySet()) {
      of(each.getKey())
          .filter(key -> key.verdict() == Verdict.REJECTED && !key.isHarmless(each.getValue()))
          .ifPresent(key -> refused.put(each.getKey(), key.text() + "."));
    }
    return refused;
  }

  /** Returns a warning for each key of a configuration that is ignored or read as another key. */
  static List<String> warnings(Map<String, String> named) {
    return named.keySet().stream()
        .flatMap(
            each ->
                of(each).stream()
                    .filter(key -> key.verdict() == Verdict.WARNED)
                    .map(key -> "%s: %s.".formatted(each, key.text())))
        .toList();
  }

  /**
   * Returns a text for each absent key whose default differs from that of Confluent's sink. Empty
   * unless the configuration contains a key or a class that only Confluent's sink has.
   */
  static Map<String, String> otherDefaults(Map<String, String> named) {
    if (!looksLikeTheirs(named)) {
      return Map.of();
    }
    Map<String, String> others = new LinkedHashMap<>(DEFAULTS);
    others.keySet().removeAll(named.keySet());
    if (PartitionerName.of(named.getOrDefault(ConnectorConfig.PARTITIONER_CLASS, ""))
        .filter(PartitionerName::isByTime)
        .isEmpty()) {
      others.remove(ConnectorConfig.TIMESTAMP_EXTRACTOR);
    }
    return others;
  }

  private static boolean looksLikeTheirs(Map<String, String> named) {
    return named.keySet().stream()
            .anyMatch(
                key ->
                    key.equals(ConnectorConfig.FLUSH_SIZE) // Required by Confluent's sink.
                        || of(key).filter(each -> each.verdict() != Verdict.KEPT).isPresent())
        || named.getOrDefault(ConnectorConfig.PARTITIONER_CLASS, "").startsWith("io.confluent.");
  }
}
