package io.tidemark.connect.it.landed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

final class RowDifferenceTest {

  private static final RowKey A = new RowKey(0, 1);
  private static final RowKey B = new RowKey(0, 2);
  private static final RowKey C = new RowKey(1, 0);

  @Test
  void sameRowsInAnyOrderDoNotDiffer() {
    RowDifference.assertNone("a table", List.of(A, B, C), List.of(C, A, B));
  }

  @Test
  void missingDoubledAndUnexpectedRowsAreToldApart() {
    assertThat(RowDifference.between(List.of(A, C), List.of(B, C, C)))
        .isEqualTo(new RowDifference(List.of(A), List.of(C), List.of(B)));
    assertThat(RowDifference.between(List.of(A, B, C), List.of(A)))
        .isEqualTo(new RowDifference(List.of(B, C), List.of(), List.of()));
    assertThat(RowDifference.between(List.of(), List.of(A, A)))
        .isEqualTo(new RowDifference(List.of(), List.of(A), List.of(A)));
  }

  /** A count would not show this difference. */
  @Test
  void doubledRowDoesNotMakeUpForAMissingOne() {
    assertThatThrownBy(() -> RowDifference.assertNone("a table", List.of(A, B), List.of(A, A)))
        .hasMessageContaining("2 rows expected in a table, 2 found")
        .hasMessageContaining("missing [0:2], doubled [0:1], unexpected []");
  }
}
