package io.tidemark.cli.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.store.partition.PathFormat;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class TimePathsTest {

  @Test
  void yearOfEraIsTheYear() {
    TimePaths paths = TimePaths.of("'YYYY'=YYYY/'dt'=YY-MM-dd/'week'=xxxx-ww");

    assertThat(paths.format()).isEqualTo("'YYYY'=yyyy/'dt'=yy-MM-dd/'week'=xxxx-ww");
    assertThat(paths.isNamed()).isFalse();
    assertThat(TimePaths.of("'year'=YYYY/'era'=G").isSame()).isTrue();
  }

  @Test
  void columnsWithoutANameGetOne() {
    assertThat(TimePaths.of("/YYYY/MM//dd/HH/").format())
        .isEqualTo("'year'=yyyy/'month'=MM/'day'=dd/'hour'=HH");
    assertThat(TimePaths.of("yyyyMMdd/kk/mm").format())
        .isEqualTo("'dt'=yyyyMMdd/'hour'=kk/'minute'=mm");
    assertThat(TimePaths.of("'y'YYYY").format()).isEqualTo("'year'='y'yyyy");
    // A constant component is not a column: validation says so.
    assertThat(TimePaths.of("'raw'/dd").format()).isEqualTo("'raw'/'day'=dd");
  }

  @Test
  void slashesInQuotesRemain() {
    assertThat(TimePaths.of("'a/year='YYYY").format()).isEqualTo("'a/year='yyyy");
    assertThat(TimePaths.of("'o''clock='HH").format()).isEqualTo("'o''clock='HH");
  }

  @Test
  void everyLetterOfJodaExceptTheCenturyIsAccepted() {
    for (String letter : "G Y y x w e E D M d a K h H k m s S z Z".split(" ", -1)) {
      for (int count = 1; count < 5; count++) {
        String pattern = "'c'=" + letter.repeat(count);
        TimePaths paths = TimePaths.of(pattern);

        assertThat(PathFormat.parse(paths.format(), Locale.US).toString())
            .isEqualTo(pattern.replace('Y', 'y'));
        assertThat(paths.hasText())
            .as(pattern)
            .isEqualTo("GEaz".contains(letter) || (letter.equals("M") && count > 2));
      }
    }
  }
}
