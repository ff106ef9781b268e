package io.tidemark.registry.config;

import java.util.List;
import java.util.stream.Collectors;

/** Settings that do not lead to a client: every problem at once, none with a secret in it. */
public final class InvalidRegistryConfigException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /**
   * What is wrong with one setting.
   *
   * @param key as it was given, or as it should be
   * @param text problem and cure
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

  /** At least one, in the order of the settings' documentation. */
  public List<Problem> problems() {
    return problems;
  }
}
