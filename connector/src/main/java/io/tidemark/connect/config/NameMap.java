package io.tidemark.connect.config;

import io.tidemark.store.PrintableText;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A setting that maps names to tables; {@code *} names all others.
 *
 * <p>Example: {@code orders:sales.orders, *:rest}
 */
record NameMap(Map<String, String> byName, Optional<String> others) {
  static final NameMap NONE = new NameMap(Map.of(), Optional.empty());

  private static final String ALL_OTHERS = "*";
  private static final int SHOWN_CHARS = 64;

  NameMap {
    byName = Collections.unmodifiableMap(new LinkedHashMap<>(byName));
  }

  /** A backslash escapes a character. An {@link IllegalArgumentException} has problem and cure. */
  static NameMap parse(String text) {
    Map<String, String> byName = new LinkedHashMap<>();
    if (text.isBlank()) {
      return NONE;
    }
    Optional<String> others = Optional.empty();
    for (List<Part> pair : pairs(text)) {
      Part name = pair.get(0);
      if (pair.size() != 2 || name.text().isEmpty() || pair.get(1).text().isBlank()) {
        throw new IllegalArgumentException(
            "\"%s\" is not like name:table. Separate a name and its table by ':', and pairs by ','. Write \\: and \\, for these characters in a name"
                .formatted(
                    PrintableText.of(
                        pair.stream().map(Part::text).collect(Collectors.joining(":")),
                        SHOWN_CHARS)));
      }
      String table = pair.get(1).text();
      boolean twice =
          name.isAllOthers() ? others.isPresent() : byName.put(name.text(), table) != null;
      if (twice) {
        throw new IllegalArgumentException(
            "\"%s\" is named twice. Remove one of the two"
                .formatted(PrintableText.of(name.text(), SHOWN_CHARS)));
      }
      if (name.isAllOthers()) {
        others = Optional.of(table);
      }
    }
    return new NameMap(byName, others);
  }

  /** The text between two separators, and whether it contained a backslash. */
  private record Part(String text, boolean escaped) {
    boolean isAllOthers() {
      return text.equals(ALL_OTHERS) && !escaped;
    }
  }

  boolean isEmpty() {
    return byName.isEmpty() && others.isEmpty();
  }

  private static List<List<Part>> pairs(String text) {
    List<List<Part>> pairs = new ArrayList<>();
    List<Part> pair = new ArrayList<>();
    StringBuilder part = new StringBuilder();
    int kept = 0; // Length that is not trimmed, because its end was escaped.
    boolean escaped = false;
    for (int i = 0; i <= text.length(); i++) {
      char c = i < text.length() ? text.charAt(i) : ',';
      if (c == '\\' && i + 1 < text.length()) {
        part.append(text.charAt(++i));
        kept = part.length();
        escaped = true;
      } else if (c == ':' || c == ',') {
        while (part.length() > kept && part.charAt(part.length() - 1) == ' ') {
          part.setLength(part.length() - 1);
        }
        pair.add(new Part(part.toString(), escaped));
        part.setLength(0);
        kept = 0;
        escaped = false;
        if (c == ',') {
          pairs.add(pair);
          pair = new ArrayList<>();
        }
      } else if (c != ' ' || part.length() > 0) {
        part.append(c);
      }
    }
    return pairs;
  }
}
