package io.tidemark.benchmarks.articles;

import java.io.IOException;

/** A benchmark that repeats an article's. Run once, by one thread. */
public interface Experiment {

  /** Returns the folder below {@code benchmarks/articles}. Example: {@code avro-benchmark}. */
  String name();

  /** Measures each case in separate JVMs. */
  Outcome run(ArticleOptions options) throws IOException, InterruptedException;
}
