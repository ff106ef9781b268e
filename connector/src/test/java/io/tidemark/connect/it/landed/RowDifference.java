package io.tidemark.connect.it.landed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The difference between the found rows and the expected ones, of which each must be found once.
 *
 * @param missing expected and not found
 * @param doubled found more than once
 * @param unexpected found and never produced
 */
public record RowDifference(List<RowKey> missing, List<RowKey> doubled, List<RowKey> unexpected) {

  private static final RowDifference NONE = new RowDifference(List.of(), List.of(), List.of());
  private static final int SHOWN = 10;

  /** Fails unless exactly the expected rows were found, each once. */
  public static void assertNone(
      String where, Collection<RowKey> expected, Collection<RowKey> found) {
    assertThat(between(expected, found))
        .as("%d rows expected in %s, %d found", expected.size(), where, found.size())
        .isEqualTo(NONE);
  }

  public static RowDifference between(Collection<RowKey> expected, Collection<RowKey> found) {
    List<RowKey> missing = new ArrayList<>();
    List<RowKey> doubled = new ArrayList<>();
    List<RowKey> unexpected = new ArrayList<>();
    List<RowKey> left = expected.stream().sorted().toList();
    List<RowKey> right = found.stream().sorted().toList();
    int l = 0;
    for (int r = 0; r < right.size(); r++) {
      RowKey key = right.get(r);
      if (r > 0 && key.equals(right.get(r - 1))) {
        doubled.add(key);
        continue;
      }
      while (l < left.size() && left.get(l).compareTo(key) < 0) {
        missing.add(left.get(l++));
      }
      if (l < left.size() && left.get(l).equals(key)) {
        l++;
      } else {
        unexpected.add(key);
      }
    }
    missing.addAll(left.subList(l, left.size()));
    return new RowDifference(missing, doubled, unexpected);
  }

  @Override
  public String toString() {
    return "missing "
        + shown(missing)
        + ", doubled "
        + shown(doubled)
        + ", unexpected "
        + shown(unexpected);
  }

  private static String shown(List<RowKey> keys) {
    return keys.size() <= SHOWN
        ? keys.toString()
        : keys.size() + " rows, such as " + keys.subList(0, SHOWN);
  }
}
