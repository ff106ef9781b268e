package io.tidemark.cli.adopt;

/**
 * Why something cannot be adopted as it is: the place, the problem with its cause, and the cure.
 */
public record Refusal(String place, String problem, String cure) {

  @Override
  public String toString() {
    return place + ": " + problem + ". " + cure;
  }
}
