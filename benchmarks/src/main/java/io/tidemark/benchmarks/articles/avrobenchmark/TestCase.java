package io.tidemark.benchmarks.articles.avrobenchmark;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.LongSupplier;

/**
 * A way to read or write a record.
 *
 * @param group the name of the cases of one table
 * @param name the work. Example: {@code record reused, decoder new, same bytes}
 * @param contender the library of reader and writer: {@code stock} or {@code ours}
 * @param operations the number of records of a pass
 * @param article the operations a second in the article, if it has the case
 * @param quick whether a quick run includes it
 * @param preparation creates the pass
 */
record TestCase(
    String group,
    String name,
    String contender,
    int operations,
    OptionalDouble article,
    boolean quick,
    Preparation preparation) {

  /** The usual number of records of a pass. */
  static final int OPERATIONS = 1_000;

  /** Prepares a pass in a fork; all code generation is done when it returns. */
  @FunctionalInterface
  interface Preparation {
    /**
     * Returns the pass, whose value only proves that work was done.
     *
     * @param registry the URL of the registry's host
     */
    LongSupplier pass(String registry) throws IOException, InterruptedException;
  }

  /** Creates a case of the usual size. */
  static TestCase of(
      String group,
      String name,
      String contender,
      OptionalDouble article,
      boolean quick,
      Preparation preparation) {
    return new TestCase(group, name, contender, OPERATIONS, article, quick, preparation);
  }

  /** Returns all cases. */
  static List<TestCase> all() {
    var all = new ArrayList<TestCase>();
    all.addAll(DecoderCases.all());
    all.addAll(EncoderCases.all());
    all.addAll(TypeCases.all());
    all.addAll(RegistryCases.all());
    return all;
  }

  /** Returns the case with a number in {@link #all}. */
  static TestCase numbered(int number) {
    return all().get(number);
  }

  @Override
  public String toString() {
    return group + ": " + name + ", " + contender;
  }
}
