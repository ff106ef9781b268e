package io.tidemark.avro.mapping;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The rules for a field and for the fields in it.
 *
 * @param rule what happens to the field itself
 * @param below the rules of the fields in it that have some
 * @param only whether fields without rules are left out
 */
record FieldRules(Optional<FieldRule> rule, Map<String, FieldRules> below, boolean only) {
  static final FieldRules NONE = new FieldRules(Optional.empty(), Map.of(), false);

  FieldRules {
    below = Collections.unmodifiableMap(new TreeMap<>(below));
  }

  /** What happens to a field. */
  sealed interface FieldRule {}

  /** It is left out. */
  record Exclude() implements FieldRule {}

  /** It is kept, although others are left out. */
  record Include() implements FieldRule {}

  /** It becomes the text of a hash. */
  record Hash(Salt salt) implements FieldRule {}

  /** It becomes a fixed text, or zero. */
  record Mask(String text) implements FieldRule {}

  /** Its values get a type of their own. */
  record To(String type) implements FieldRule {}

  /** Returns these rules with one more, for a dotted path. */
  FieldRules with(String path, FieldRule added) {
    if (path.isEmpty()) {
      boolean also = rule.isPresent() && added instanceof Include;
      if (rule.isPresent() && !also && !(rule.get() instanceof Include)) {
        throw new IllegalArgumentException("it has two rules");
      }
      return new FieldRules(also ? rule : Optional.of(added), below, false);
    }
    int dot = path.indexOf('.');
    String name = dot < 0 ? path : path.substring(0, dot);
    Map<String, FieldRules> more = new TreeMap<>(below);
    more.put(
        name, more.getOrDefault(name, NONE).with(dot < 0 ? "" : path.substring(dot + 1), added));
    boolean included = rule.isPresent() && rule.get() instanceof Include;
    return new FieldRules(rule, more, only || (added instanceof Include && !included));
  }

  /** Returns the rules of a field of a record with these rules. */
  FieldRules of(String field) {
    return below.getOrDefault(field, NONE);
  }

  /** Returns whether a field is left out. */
  boolean omits(String field) {
    FieldRules own = below.get(field);
    return own == null ? only : own.rule.isPresent() && own.rule.get() instanceof Exclude;
  }

  /** Returns the type of the value, if the field has one of its own. */
  Optional<String> type() {
    return rule.filter(To.class::isInstance).map(to -> ((To) to).type());
  }

  /** Returns these rules without that for the field itself. */
  FieldRules inside() {
    return new FieldRules(Optional.empty(), below, only);
  }

  /** Returns whether the value itself is hashed or masked. */
  boolean replaces() {
    return rule.isPresent() && (rule.get() instanceof Hash || rule.get() instanceof Mask);
  }
}
