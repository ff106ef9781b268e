package io.tidemark.connect.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.stack.Postgres;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Hive partitions in a Metastore whose database is PostgreSQL, which equates no values. Those of
 * {@link TablesOfOthersIT} are in Derby, which equates some. Without PostgreSQL on this machine the
 * tests are skipped; with {@code CI=true} they fail.
 */
@Isolated
@Tag("exclusive")
@Tag("long")
final class PostgresMetastoreIT {

  /** Values that other databases equate: trailing spaces, case, accents, Unicode forms. */
  private static final String[] ALIKE = {"DE", "DE ", "de", "Cafe", "Caf\u00e9", "Cafe\u0301"};

  private static RealStack stack;

  @BeforeAll
  static void start() {
    if (Postgres.installed().isEmpty()) {
      String problem = "PostgreSQL is not installed: apt-get install postgresql";
      assertThat(System.getenv("CI")).as(problem).isNotEqualTo("true");
      System.out.println("SKIPPED: " + problem);
      assumeTrue(false, problem);
    }
    stack = RealStack.startOnPostgres();
  }

  @AfterAll
  static void stop() {
    if (stack != null) {
      stack.close();
    }
  }

  @Test
  void eachValueHasItsHivePartitionAndADroppedOneComesBack() throws SQLException {
    Places places = Places.landed(stack, "places", ALIKE);
    places.awaitRowsOf(ALIKE);
    assertThat(places.table().partitionsInHive())
        .containsExactlyInAnyOrder(
            "place=DE",
            "place=DE ",
            "place=de",
            "place=Cafe",
            "place=Caf\u00e9",
            "place=Cafe\u0301");
    assertThat(
            places
                .table()
                .query("SELECT seq FROM %s WHERE place = 'DE '".formatted(places.table().name())))
        .isEqualTo(List.of(List.of(1L)));

    for (String dropped : new String[] {"DE ", "Cafe\u0301"}) {
      stack
          .services()
          .hive()
          .execute(
              "alter table %s drop partition (place='%s')"
                  .formatted(places.table().name(), dropped));
    }
    places.awaitRowsOf("DE", "de", "Cafe", "Caf\u00e9");
    places.connector().stop();
    places.connector().resume();
    places.awaitRowsOf(ALIKE);
  }
}
