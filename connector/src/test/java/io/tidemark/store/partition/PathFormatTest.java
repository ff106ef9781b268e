package io.tidemark.store.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.ZonedDateTime;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PathFormatTest {
  private static final ZonedDateTime TIME =
      ZonedDateTime.parse("2027-01-02T15:04:05.678+01:00[Europe/Berlin]");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'dt'=yyyy-MM-dd/'hour'=HH       | dt=2027-01-02/hour=15",
        "'year'=YYYY/'month'=MM/'day'=dd | year=2027/month=01/day=02",
        "'y'=YY-yy-Y                     | y=27-27-2027",
        "'w'=xxxx-'W'ww-e                | w=2026-W53-6",
        "'d'=D/'m'=M-MMM-MMMM            | d=2/m=1-Jan-January",
        "'e'=E-EEEE                      | e=Sat-Saturday",
        "'h'=h-hh-K-k-a                  | h=3-03-3-15-PM",
        "'t'=HHmmss.SSS                  | t=150405.678",
        "'z'=Z,ZZ,ZZZ                    | z=+0100,+01%3A00,Europe%2FBerlin",
        "'era'=G                         | era=AD",
        "'q'='o''clock'HH''              | q=o%27clock15%27",
        "'DT='yyyy'/hour='HH             | dt=2027/hour=15",
        "'all'='everything'              | all=everything",
      })
  void lettersMeanWhatTheyMeanInJodaTime(String pattern, String path) {
    assertThat(PathFormat.parse(pattern, Locale.ENGLISH).format(TIME).path()).isEqualTo(path);
  }

  @Test
  void yearOfEraIsNotTheWeeksYear() {
    PathFormat format = PathFormat.parse(PathFormat.DAILY, Locale.US);

    assertThat(format.format(ZonedDateTime.parse("2025-12-29T00:00Z")).path())
        .isEqualTo("year=2025/month=12/day=29");
    assertThat(format.format(ZonedDateTime.parse("2027-01-01T00:00Z")).path())
        .isEqualTo("year=2027/month=01/day=01");
  }

  @Test
  void namesOfMonthsFollowTheLocale() {
    assertThat(PathFormat.parse("'m'=MMMM", Locale.GERMANY).format(TIME).path())
        .isEqualTo("m=Januar");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "yyyy/MM                 | 1 | is a pattern letter, but no column's name precedes it",
        "year=YYYY               | 1 | Put the name in quotes",
        "'dt'=yyyy/'late'        | 17 | \"late\" has no \"=\" and value",
        "'dt'=yyyy//'h'=HH       | 11 | a component is empty",
        "'dt'=yyyy/'DT'=MM       | 18 | \"dt\" occurs twice",
        "'_dt'=yyyy              | 11 | \"_dt\" cannot be a partition column",
        "'.dt'=yyyy              | 11 | \".dt\" cannot be a partition column",
        "'it''s'=''HH | 13 | \"it's\" cannot be a partition column",
        "'d t'=yyyy              | 11 | \"d t\" cannot be a partition column",
        "'dt'=                   | 6 | \"dt\" has no value",
        "'dt'=uuuu               | 6 | \"u\" is not a pattern letter",
        "'c'=CC                  | 5 | Joda-Time without C",
        "'dt'=yyyy-'             | 11 | never closed",
        "'s'=SSSSSSSSSS          | 5 | repeated 10 times",
      })
  void wrongPatternsAreRefusedWithTheirPlace(String pattern, int position, String problem) {
    assertThatThrownBy(() -> PathFormat.parse(pattern, Locale.ENGLISH))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("path.format \"" + pattern + "\", at character " + position + ": ")
        .hasMessageContaining(problem);
  }

  @Test
  void directoryThatHdfsCannotHoldIsRefused() {
    assertThatThrownBy(() -> PathFormat.parse("'dt'=yyyy'" + "x".repeat(250) + "'", Locale.ENGLISH))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("257 bytes, and HDFS allows 255");
  }

  @Test
  void emptyPatternIsRefused() {
    assertThatThrownBy(() -> PathFormat.parse("", Locale.ENGLISH))
        .hasMessageContaining("a component is empty");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'dt'=yyyy-MM-dd/'hour'=HH",
        "'year'=YYYY/'month'=MM/'day'=dd",
        "'dt'=yyyyMMdd/'h'=k",
        "'month'=M/'year'=yyyy",
        "'y'=yyyy",
        "'m'=yyyy-MMMM",
        "'d'=yyyy-D",
        "'d'=yyyyDDD",
        "'w'=xxxx-'W'ww",
        "'w'=xxxx-'W'ww-e/'day'=EEEE/'month'=M",
        "'t'=yyyyMMdd-HHmmss.SSS",
        "'dt'=yyyy-MM-dd/'h'=HH/'twelve'=hh/'half'=a",
        "'dt'=yyyy-MM-dd/'hour'=HHZ",
        "'dt'=yyyy-MM-dd/'hour'=HHZZ/'zone'=ZZZ",
        "'dt'=yyyy-M'd'd",
      })
  void formatsThatGoDownFromTheYearAreContiguous(String pattern) {
    assertThat(PathFormat.parse(pattern, Locale.ENGLISH).isContiguous()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'all'='everything'        | no time",
        "'dt'=yy-MM-dd             | comes again after a hundred years",
        "'day'=EEEE                | comes each week",
        "'y'=yyyy/'h'=HH           | comes each day",
        "'y'=yyyy/'d'=dd           | comes each month",
        "'m'=yyyy-MM/'day'=E       | comes each week of the month",
        "'m'=yyyy-MM/'h'=HH        | comes each day of the month",
        "'d'=yyyy-MM-dd/'h'=hh     | comes before and after noon",
        "'d'=yyyy-MM-dd/'h'=HH/'s'=ss | comes each minute",
        "'w'=yyyy-ww               | the first week is also the last days of the year",
        "'w'=xxxx-MM               | the month is also the first days of the next week year",
        "'w'=xxxx-e                | comes each week",
        "'d'=yyyyMd                | 2026111 is January 11 and November 1",
        "'d'=yyyyM'1'd             | so it is with a digit between them",
        "'d'=yMMdd                 | the year has one digit to four",
        "'dt'=yyyy-MM-dd/'z'=z     | the zone's name may change without its offset",
      })
  void formatsWhosePathsComeAgainAreNotContiguous(String pattern, String why) {
    assertThat(PathFormat.parse(pattern, Locale.ENGLISH).isContiguous()).as(why).isFalse();
  }

  /** In this locale, month 10 is "sánzá ya zómi" and 11 is "sánzá ya zómi na mɔ̌kɔ́". */
  @Test
  void namesThatBeginOtherNamesAreNotContiguous() {
    Locale lingala = Locale.forLanguageTag("ln-CD");

    assertThat(PathFormat.parse("'m'=yyyy-MMMM", lingala).isContiguous()).isFalse();
    assertThat(PathFormat.parse("'m'=yyyy-MMM", lingala).isContiguous()).isTrue();
  }
}
