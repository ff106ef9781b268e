package io.tidemark.demo;

/** A check of the demo has failed. */
final class DemoFailedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  DemoFailedException(String message) {
    super(message);
  }
}
