package io.tidemark.cli.migrate;

import io.tidemark.store.IndentedTexts;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A rule for a key of another sink, or for a prefix of keys, which ends in a dot.
 *
 * @param target with {@link Action#AS}: the new key, or the new prefix
 * @param text the reason, or what to do
 * @param harmless the value with which a key without counterpart is not needed
 */
record Rule(String name, Action action, String target, String text, Optional<String> harmless) {

  /** What becomes of a key. */
  enum Action {
    /** It has the same name and meaning. */
    KEEP,
    /** It has another name. */
    AS,
    /** It is not needed. */
    DROP,
    /** Its function has no counterpart. */
    NONE
  }

  // iceberg.tables.dynamic-enabled: none, except "false"
  private static final Pattern HEAD =
      Pattern.compile("([^ ]+): (keep|as|drop|none)(?: ([^ ,]+))?(?:, except \"(.*)\")?");

  static List<Rule> read(String name) {
    String file = "rules-" + name + ".txt";
    return IndentedTexts.read(Rule.class, file).entrySet().stream()
        .map(
            each -> {
              Matcher head = HEAD.matcher(each.getKey());
              if (!head.matches()) {
                throw new IllegalStateException(file + ": " + each.getKey());
              }
              return new Rule(
                  head.group(1),
                  Action.valueOf(head.group(2).toUpperCase(Locale.ROOT)),
                  Optional.ofNullable(head.group(3)).orElse(""),
                  each.getValue(),
                  Optional.ofNullable(head.group(4)));
            })
        .toList();
  }

  boolean isOf(String key) {
    return name.endsWith(".") ? key.startsWith(name) : key.equals(name);
  }

  /** Returns the new name of a key of {@link Action#AS}. */
  String renamed(String key) {
    return name.endsWith(".") ? target + key.substring(name.length()) : target;
  }
}
