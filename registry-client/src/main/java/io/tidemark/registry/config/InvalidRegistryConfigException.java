package io.tidemark.registry.config;

import java.util.List;
import java.util.stream.Collectors;

/** Thrown for invalid settings of a client. It lists all problems, without secrets. */
public final class InvalidRegistryConfigException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /**
   * A problem of one setting.
   *
   * @param key the key as it was given; if a key is missing, its name
   * @param text the problem and what to do
   */
  public record Problem(String key, String text) implements java.io.Serializable {
    @Override
    public String toString() {
      return key + ": " + text;
    }
  }

  private final List<Problem> problems;

  InvalidRegistryConfigException(List<Problem> problems) {
    super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  /** Returns the problems, at least one, in the order of the settings' documentation. */
  public List<Problem> problems() {
    return problems;
  }
}
