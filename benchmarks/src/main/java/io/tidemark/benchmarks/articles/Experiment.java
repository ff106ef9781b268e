package io.tidemark.benchmarks.articles;

import java.io.IOException;

/** A benchmark in the shape of an article's own. Run once, by one thread. */
public interface Experiment {

  /** The folder below {@code benchmarks/articles}. Example: {@code avro-benchmark}. */
  String name();

  /** Measures, each case in JVMs of its own. */
  Outcome run(ArticleOptions options) throws IOException, InterruptedException;
}
