package io.tidemark.connect.it.completeness;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.Deployment;
import io.tidemark.connect.it.stack.OnRealStack;
import io.tidemark.connect.it.stack.Readings;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.SourceTopic;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Groups of tables that are complete together. */
@OnRealStack
final class GroupsIT {

  @Test
  void groupWaitsForTheTableOfAConnectorThatWasNeverDeployed(RealStack stack) {
    SourceTopic sales = stack.topic("grouped-sales", 1);
    SourceTopic payments = stack.topic("grouped-payments", 1);
    sales.send(Readings.V1, 0, 100);
    payments.send(Readings.V1, 0, 100);
    Deployment first =
        stack.deploy(
            ConnectorSettings.of("grouped-sales", sales)
                .statedByTheHour()
                .with(
                    "completeness.groups",
                    "pair=landed.grouped_sales,landed.grouped_payments@grouped-payments"));
    first.stated().awaitThrough(sales, Instant.now());
    assertThat(first.stated().awaitGroupHeld("pair", "NO_MEMBER"))
        .contains("landed.grouped_payments@grouped-payments has never been complete");
    assertThat(first.stated().state().path("groups").path("pair").path("through").isNull())
        .isTrue();

    Deployment second =
        stack.deploy(ConnectorSettings.of("grouped-payments", payments).statedByTheHour());
    Instant deployed = Instant.now();
    second.stated().awaitThrough(payments, deployed);
    first.stated().awaitGroupThrough("pair", deployed);
  }
}
