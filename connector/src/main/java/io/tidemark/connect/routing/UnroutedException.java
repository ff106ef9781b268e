package io.tidemark.connect.routing;

/** No rule leads records of a topic, or those of a schema, to a table. */
public final class UnroutedException extends Exception {
  private static final long serialVersionUID = 1L;

  private final boolean deadLetters;

  /** The exception for a route. */
  public UnroutedException(Route.Nowhere route) {
    super(route.reason());
    this.deadLetters = route.deadLetters();
  }

  /** Such records are dead letters; else their topic is refused. */
  public boolean deadLetters() {
    return deadLetters;
  }
}
