package io.tidemark.demo;

/** Something of the demo is not as it must be. */
final class DemoFailedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  DemoFailedException(String message) {
    super(message);
  }
}
