package io.tidemark.cli.adopt;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The notes and refusals of one topic-partition while it is examined. Used by one thread. */
final class Findings {
  private static final int SHOWN = 20;

  private final String place;
  private final List<String> notes = new ArrayList<>();
  private final List<Refusal> refusals = new ArrayList<>();

  Findings(String place) {
    this.place = place;
  }

  void note(String note) {
    notes.add(note);
  }

  void refuse(String problem, String cure) {
    refusals.add(new Refusal(place, problem, cure));
  }

  List<String> notes() {
    return notes;
  }

  List<Refusal> refusals() {
    return refusals;
  }

  /** Returns a list in which at most 20 are named. */
  static String list(List<?> all) {
    String shown = all.stream().limit(SHOWN).map(String::valueOf).collect(Collectors.joining(", "));
    return all.size() <= SHOWN ? shown : shown + " and " + (all.size() - SHOWN) + " others";
  }
}
