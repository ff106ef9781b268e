package io.tidemark.benchmarks.articles.avrobenchmark;

import io.tidemark.benchmarks.articles.PassTimer;
import java.io.IOException;

/** Measures one case in a separate JVM. */
final class CaseFork {
  private CaseFork() {}

  /**
   * Prints the nanoseconds of an operation, and ends the JVM with its open clients.
   *
   * @param arguments the number of the case, the URL of the registry's host, the timer
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    TestCase testCase = TestCase.numbered(Integer.parseInt(arguments[0]));
    double nanos =
        PassTimer.parse(arguments, 2).nanosPerPass(testCase.preparation().pass(arguments[1]));
    System.out.println(nanos / testCase.operations());
    System.exit(0);
  }
}
