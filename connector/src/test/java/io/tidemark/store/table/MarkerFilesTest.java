package io.tidemark.store.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.store.MemoryStorage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.TopicPartition;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The markers of tables that landed without a catalog. */
class MarkerFilesTest {
  private static final TableName QUOTES = new TableName("default", "quotes");

  private final MemoryStorage storage = new MemoryStorage();
  private final MarkerFiles markers =
      new MarkerFiles(storage, new TableLayout(new StoragePath("/topics/quotes")));

  @Test
  void tableIsRegisteredOnceUnderEachName() throws Exception {
    assertThat(markers.mayHoldMore(QUOTES, claim(0, 1))).isTrue();

    markers.registered(QUOTES, claim(0, 1));

    assertThat(markers.mayHoldMore(QUOTES, claim(0, 2))).isFalse();
    assertThat(markers.mayHoldMore(new TableName("default", "renamed"), claim(0, 2))).isTrue();

    markers.forget(QUOTES);
    assertThat(markers.mayHoldMore(QUOTES, claim(0, 2))).isTrue();
  }

  @Test
  void nextClaimOnTheTopicPartitionRegistersWhatLandedWithoutACatalog() throws Exception {
    markers.registered(QUOTES, claim(0, 1));
    StagingDirectories.OfClaim without = claim(0, 2);
    markers.landsWithoutCatalog(without);
    markers.landsWithoutCatalog(without);

    assertThat(markers.mayHoldMore(QUOTES, claim(0, 3))).isTrue();
    assertThat(markers.mayHoldMore(QUOTES, claim(1, 3))).isFalse();
    markers.registered(QUOTES, claim(0, 3));
    assertThat(markers.mayHoldMore(QUOTES, claim(0, 4))).isFalse();
  }

  @Test
  void ownerThatWakesLateForgetsNothingOfItsSuccessors() throws Exception {
    markers.registered(QUOTES, claim(0, 1));
    markers.landsWithoutCatalog(claim(0, 5));

    markers.registered(QUOTES, claim(0, 4));

    assertThat(markers.mayHoldMore(QUOTES, claim(0, 6))).isTrue();
  }

  private StagingDirectories.OfClaim claim(int partition, long number) {
    return new StagingDirectories(storage, "quotes", new TopicPartition("quotes", partition))
        .ofClaim(number, UUID.randomUUID());
  }
}
