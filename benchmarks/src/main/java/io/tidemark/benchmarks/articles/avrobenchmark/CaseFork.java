package io.tidemark.benchmarks.articles.avrobenchmark;

import io.tidemark.benchmarks.articles.PassTimer;
import java.io.IOException;

/** One case, measured in a JVM of its own. */
final class CaseFork {
  private CaseFork() {}

  /**
   * Prints how many nanoseconds an operation took, and ends the JVM with the clients that it
   * opened.
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
