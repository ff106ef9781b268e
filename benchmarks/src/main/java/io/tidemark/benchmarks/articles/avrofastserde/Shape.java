package io.tidemark.benchmarks.articles.avrofastserde;

import io.tidemark.benchmarks.records.ReferenceRecord;
import java.util.ArrayList;
import java.util.List;

/**
 * A kind of record to read and write.
 *
 * @param name the name. Example: {@code small flat, all unions}
 * @param quick whether a quick run includes it
 * @param fastSerde whether avro-fastserde can write it: it fails for a fixed in a union
 */
record Shape(String name, ReferenceRecord record, boolean quick, boolean fastSerde) {

  /**
   * Returns all shapes, with the article's own first: a run that exceeds its time skips the last
   * ones.
   */
  static List<Shape> all() {
    var all = new ArrayList<Shape>();
    all.add(new Shape("real life", ReferenceRecord.realLife(), true, true));
    all.add(nested("small", "deep", true));
    for (boolean unions : List.of(false, true)) {
      for (String size : List.of("small", "large")) {
        for (String depth : List.of("flat", "deep")) {
          Shape shape = nested(size, depth, unions);
          if (all.stream().noneMatch(each -> each.name.equals(shape.name))) {
            all.add(shape);
          }
        }
      }
    }
    return all;
  }

  private static Shape nested(String size, String depth, boolean unions) {
    return new Shape(
        size + " " + depth + (unions ? ", all unions" : ""),
        ReferenceRecord.named("Nested-" + size + "-" + depth + (unions ? "-unions" : "")),
        unions && size.equals("small") && depth.equals("deep"),
        !(unions && size.equals("large")));
  }

  /** Returns the name of its folder. */
  String folder() {
    return name.replaceAll("[ ,]+", "-");
  }
}
