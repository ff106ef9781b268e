package io.tidemark.cli.migrate;

import java.util.ArrayList;
import java.util.List;

/**
 * A {@code path.format} of the old sink, as Tidemark accepts it. Both have Joda-Time's pattern
 * letters; Tidemark needs a column's name in each component.
 *
 * <p>Example: {@code 'dt'=YYYY-MM-dd/HH} becomes {@code 'dt'=yyyy-MM-dd/'hour'=HH}. In Joda-Time
 * {@code YYYY} is the year of era, in java.time the year of the week, and {@code yyyy} is the year
 * in both.
 *
 * @param isNamed whether columns got a name, so that directories change
 * @param hasText whether names of months, days or the like occur, which depend on the locale
 */
record TimePaths(String old, String format, boolean isNamed, boolean hasText) {

  static TimePaths of(String old) {
    StringBuilder format = new StringBuilder();
    boolean named = false;
    boolean text = false;
    for (Component component : components(old)) {
      String name = component.name();
      format.append(format.isEmpty() ? "" : "/");
      format.append(name.isEmpty() ? "" : "'" + name + "'=").append(component.text);
      named |= !name.isEmpty();
      text |= component.letters.toString().matches(".*(MMM|[EaGz]).*");
    }
    return new TimePaths(old, format.toString(), named, text);
  }

  boolean isSame() {
    return old.equals(format);
  }

  private static List<Component> components(String old) {
    List<Component> components = new ArrayList<>();
    Component component = new Component();
    boolean quoted = false;
    boolean era = old.contains("G");
    for (int i = 0; i < old.length(); i++) {
      char c = old.charAt(i);
      quoted ^= c == '\'';
      if (c == '/' && !quoted) {
        components.add(component);
        component = new Component();
      } else {
        component.add(c == 'Y' && !quoted && !era ? 'y' : c, quoted);
      }
    }
    components.add(component);
    // Slashes in front, at the end and doubled ones have no effect in HDFS.
    components.removeIf(each -> each.text.isEmpty());
    return components;
  }

  /** What is between two slashes. */
  private static final class Component {
    private final StringBuilder text = new StringBuilder();
    private final StringBuilder letters = new StringBuilder();
    private boolean hasColumn;

    void add(char c, boolean quoted) {
      text.append(c);
      hasColumn |= c == '=';
      if (!quoted && Character.isLetter(c)) {
        letters.append(c);
      }
    }

    /** Returns a name for the column; empty if there is one, or if the text is constant. */
    String name() {
      if (hasColumn || letters.isEmpty()) {
        return "";
      }
      return switch (letters.toString().replaceAll("(.)\\1+", "$1")) {
        case "y", "x" -> "year";
        case "M" -> "month";
        case "w" -> "week";
        case "d", "D" -> "day";
        case "H", "k" -> "hour";
        case "m" -> "minute";
        default -> "dt";
      };
    }
  }
}
