package io.tidemark.connect.config;

import io.tidemark.connect.text.PrintableText;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A setting that leads names to tables. Example: {@code orders:sales.orders, clicks:web_clicks,
 * *:rest}.
 *
 * @param byName the text of each table, by its name
 * @param others the text behind {@code *}, for all other names
 */
record NameMap(Map<String, String> byName, Optional<String> others) {
  static final NameMap NONE = new NameMap(Map.of(), Optional.empty());

  private static final String ALL_OTHERS = "*";
  private static final int SHOWN_CHARS = 64;

  NameMap {
    byName = Collections.unmodifiableMap(new LinkedHashMap<>(byName));
  }

  /**
   * Reads a setting. A backslash takes from the character behind it what it would mean here, so
   * that values of fields may have any.
   *
   * @throws IllegalArgumentException says what is wrong, and how to write it
   */
  static NameMap parse(String text) {
    Map<String, String> byName = new LinkedHashMap<>();
    if (text.isBlank()) {
      return NONE;
    }
    for (List<String> pair : pairs(text)) {
      String name = pair.get(0).trim();
      if (pair.size() != 2 || name.isEmpty() || pair.get(1).isBlank()) {
        throw new IllegalArgumentException(
            "\"%s\" is not like name:table. Separate a name and its table by ':', and pairs by ','; write \\: and \\, where a name has them"
                .formatted(PrintableText.of(String.join(":", pair), SHOWN_CHARS)));
      }
      if (byName.put(name, pair.get(1).trim()) != null) {
        throw new IllegalArgumentException(
            "\"%s\" is named twice. Leave one of the two"
                .formatted(PrintableText.of(name, SHOWN_CHARS)));
      }
    }
    Optional<String> others = Optional.ofNullable(byName.remove(ALL_OTHERS));
    return new NameMap(byName, others);
  }

  boolean isEmpty() {
    return byName.isEmpty() && others.isEmpty();
  }

  private static List<List<String>> pairs(String text) {
    List<List<String>> pairs = new ArrayList<>();
    List<String> pair = new ArrayList<>();
    StringBuilder part = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\' && i + 1 < text.length()) {
        part.append(text.charAt(++i));
      } else if (c == ':' || c == ',') {
        pair.add(part.toString());
        part.setLength(0);
        if (c == ',') {
          pairs.add(pair);
          pair = new ArrayList<>();
        }
      } else {
        part.append(c);
      }
    }
    pair.add(part.toString());
    pairs.add(pair);
    return pairs;
  }
}
