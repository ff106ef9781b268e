package io.tidemark.benchmarks.articles.avrobenchmark;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.LongSupplier;

/**
 * A way to read or write a record.
 *
 * @param group the cases that stand in one table
 * @param name what is done. Example: {@code record reused, decoder new, same bytes}
 * @param contender whose reader and writer: {@code stock} or {@code ours}
 * @param operations how many records a pass reads or writes
 * @param article operations a second in the article, where it has the case
 * @param quick whether a quick run has it
 * @param preparation makes the pass
 */
record TestCase(
    String group,
    String name,
    String contender,
    int operations,
    OptionalDouble article,
    boolean quick,
    Preparation preparation) {

  /** How many records a pass has where nothing else is said. */
  static final int OPERATIONS = 1_000;

  /** Gets ready in a fork; what is compiled stands when this returns. */
  @FunctionalInterface
  interface Preparation {
    /**
     * The pass, whose value says only that something was done.
     *
     * @param registry the URL of the registry's host
     */
    LongSupplier pass(String registry) throws IOException, InterruptedException;
  }

  /** A case of the usual size. */
  static TestCase of(
      String group,
      String name,
      String contender,
      OptionalDouble article,
      boolean quick,
      Preparation preparation) {
    return new TestCase(group, name, contender, OPERATIONS, article, quick, preparation);
  }

  /** All cases. */
  static List<TestCase> all() {
    var all = new ArrayList<TestCase>();
    all.addAll(DecoderCases.all());
    all.addAll(EncoderCases.all());
    all.addAll(TypeCases.all());
    all.addAll(RegistryCases.all());
    return all;
  }

  /** The case of a number in {@link #all}. */
  static TestCase numbered(int number) {
    return all().get(number);
  }

  @Override
  public String toString() {
    return group + ": " + name + ", " + contender;
  }
}
