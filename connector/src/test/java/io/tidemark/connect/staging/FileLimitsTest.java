package io.tidemark.connect.staging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.registry.SchemaId;
import org.junit.jupiter.api.Test;

final class FileLimitsTest {
  private static final SchemaId ID = SchemaId.of(1);

  @Test
  void fileEndsBehindItsLastRecord() {
    assertThat(new FileLimits(3, 0, 0).ends(null, at(0, 0, 0, 0, 0, 0, 0)))
        .containsExactly(3, 6, 7);
    assertThat(new FileLimits(3, 0, 0).ends(null, at(0, 0, 0))).containsExactly(3);
    assertThat(new FileLimits(3, 0, 0).ends(null, at(0))).containsExactly(1);
  }

  @Test
  void spanIsThatFromTheFirstRecordOfAFile() {
    FileLimits ofTen = new FileLimits(0, 0, 10);

    assertThat(ofTen.ends(null, at(100, 105, 109, 110, 119, 120))).containsExactly(3, 5, 6);
    assertThat(ofTen.ends(null, at(100, 500, 501, 900))).containsExactly(1, 3, 4);
  }

  @Test
  void recordThatIsLateEndsNoFile() {
    assertThat(new FileLimits(0, 0, 10).ends(null, at(100, 3, 105))).containsExactly(3);
  }

  @Test
  void recordWithoutATimeNeitherBeginsNorEndsASpan() {
    assertThat(new FileLimits(0, 0, 10).ends(null, at(-1, 100, -1, 109, 110)))
        .containsExactly(4, 5);
  }

  @Test
  void whicheverLimitComesFirstEndsTheFile() {
    assertThat(new FileLimits(2, 0, 10).ends(null, at(0, 20, 21, 22, 40)))
        .containsExactly(1, 3, 4, 5);
  }

  @Test
  void limitsAreNotNegative() {
    assertThatThrownBy(() -> new FileLimits(-1, 0, 0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new FileLimits(0, -1, 0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new FileLimits(0, 0, -1)).isInstanceOf(IllegalArgumentException.class);
  }

  private static RecordList at(long... timestamps) {
    RecordList records = new RecordList();
    for (int i = 0; i < timestamps.length; i++) {
      records.add(i, timestamps[i], ID);
    }
    return records;
  }
}
