package io.tidemark.cli.migrate;

import io.tidemark.cli.deployment.ConnectorServices;
import io.tidemark.store.IndentedTexts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Removes the transforms that the connector rejects, with what replaces them. */
final class Transforms {
  private static final String TRANSFORMS = "transforms";
  private static final String KAFKAS = "org.apache.kafka.connect.transforms.";
  private static final String UNWRAP = "io.debezium.transforms.ExtractNewRecordState";

  /** What replaces a transform, by the last part of its class's name. */
  private static final Map<String, String> REPLACEMENTS =
      IndentedTexts.read(Transforms.class, "transforms.txt");

  private Transforms() {}

  static void apply(Draft draft) {
    List<String> kept = new ArrayList<>();
    for (String name : draft.take(TRANSFORMS).orElse("").split("\\s*,\\s*", -1)) {
      String key = "%s.%s.type".formatted(TRANSFORMS, name);
      String type = draft.peek(key).orElse("").trim();
      if (name.isBlank() || type.isEmpty()) {
        continue;
      }
      List<String> problems =
          ConnectorServices.problems(Map.of(TRANSFORMS, name, key, type))
              .getOrDefault(key, List.of());
      String simple = type.substring(type.lastIndexOf('.') + 1).replaceFirst("\\$.*", "");
      String listed = "transforms.%s.* (%s)".formatted(name, simple);
      if (type.equals(UNWRAP)) {
        draft.change(listed, Draft.text("transform.unwrap"));
        draft.set("unwrap", "debezium", Draft.text("unwrap"));
      } else if (!problems.isEmpty()) {
        String replacement = REPLACEMENTS.getOrDefault(simple, "");
        draft.lost(listed, (String.join(" ", problems) + " " + replacement).strip());
      } else {
        kept.add(name);
        if (!type.startsWith(KAFKAS)) {
          draft.check(key, Draft.text("transform", type));
        }
      }
    }
    if (!kept.isEmpty()) {
      draft.keep(TRANSFORMS, String.join(",", kept));
    }
    for (String key : draft.left()) {
      boolean ofKept = kept.stream().anyMatch(name -> key.startsWith("transforms." + name + "."));
      boolean ofPredicates = key.equals("predicates") || key.startsWith("predicates.");
      if (ofKept || (ofPredicates && !kept.isEmpty())) {
        draft.take(key).ifPresent(value -> draft.keep(key, value));
      } else if (ofPredicates) {
        draft.take(key).ifPresent(unused -> draft.change(key, Draft.text("predicate")));
      } else if (key.startsWith("transforms.")) {
        draft.take(key);
      }
    }
  }
}
