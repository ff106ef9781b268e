package io.tidemark.avro.mapping;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * The rules for a field and for the fields in it.
 *
 * @param rule what happens to the field itself
 * @param included whether it is kept with all fields in it, although others are left out
 * @param below the rules of the fields in it that have some
 */
record FieldRules(Optional<FieldRule> rule, boolean included, Map<String, FieldRules> below) {
  static final FieldRules NONE = new FieldRules(Optional.empty(), false, Map.of());

  FieldRules {
    below = Collections.unmodifiableMap(new TreeMap<>(below));
  }

  /** What happens to a field. */
  sealed interface FieldRule {}

  /** It is left out. */
  record Exclude() implements FieldRule {}

  /** It becomes the text of a hash. */
  record Hash(Salt salt) implements FieldRule {}

  /** It becomes a fixed text, or zero. */
  record Mask(String text) implements FieldRule {}

  /** Its values get a type of their own. */
  record To(String type) implements FieldRule {}

  /** Returns these rules with one more, for a dotted path. */
  FieldRules with(String path, FieldRule added) {
    return at(
        path,
        field -> {
          if (field.rule.isPresent()) {
            throw new IllegalArgumentException("it has two rules");
          }
          return new FieldRules(Optional.of(added), field.included, field.below);
        });
  }

  /** Returns these rules, by which the field at a dotted path is kept. It may have a rule, too. */
  FieldRules including(String path) {
    return at(path, field -> new FieldRules(field.rule, true, field.below));
  }

  private FieldRules at(String path, UnaryOperator<FieldRules> change) {
    if (path.isEmpty()) {
      return change.apply(this);
    }
    int dot = path.indexOf('.');
    String name = dot < 0 ? path : path.substring(0, dot);
    Map<String, FieldRules> more = new TreeMap<>(below);
    more.put(name, of(name).at(dot < 0 ? "" : path.substring(dot + 1), change));
    return new FieldRules(rule, included, more);
  }

  /** Returns whether only included fields of a record with these rules are kept. */
  boolean only() {
    return !included && below.values().stream().anyMatch(FieldRules::keeps);
  }

  private boolean keeps() {
    return included || only();
  }

  /** Returns the rules of a field of a record with these rules. */
  FieldRules of(String field) {
    return below.getOrDefault(field, NONE);
  }

  /** Returns whether a field is left out. */
  boolean omits(String field) {
    FieldRules own = of(field);
    return own.rule.filter(Exclude.class::isInstance).isPresent() || (only() && !own.keeps());
  }

  /** Returns the type of the value, if the field has one of its own. */
  Optional<String> type() {
    return rule.filter(To.class::isInstance).map(to -> ((To) to).type());
  }

  /** Returns these rules without that for the field itself. */
  FieldRules inside() {
    return new FieldRules(Optional.empty(), included, below);
  }

  /** Returns whether the value itself is hashed or masked. */
  boolean replaces() {
    return rule.isPresent() && (rule.get() instanceof Hash || rule.get() instanceof Mask);
  }
}
