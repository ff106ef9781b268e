package io.tidemark.connect.it.permissions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertAll;

import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.Deployment;
import io.tidemark.connect.it.stack.OnRealStack;
import io.tidemark.connect.it.stack.Readings;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.SourceTopic;
import io.tidemark.stack.ConnectRequestException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.kafka.common.acl.AclOperation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The permissions in Kafka that docs/OPERATIONS.md lists, on a broker with ACLs. They are
 * sufficient, and the absence of each one is reported as the document says. The test reads them
 * from the document.
 */
@OnRealStack
@Tag("faults")
@Tag("long")
final class AclsIT {

  /** Requests that a task makes only when it starts. */
  private static final Set<String> ASKED_FOR_AT_FIRST =
      Set.of(
          "the worker's: READ, group connect-NAME",
          "the worker's: CREATE, the dead letter topic",
          "of kafka.*: DESCRIBE, group connect-NAME");

  @Test
  void rightsOfTheDocumentAreEnoughAndEachThatIsMissingIsNamed(RealStack stack) throws IOException {
    List<DocumentedRight> rights = DocumentedRight.all();
    assertThat(rights).hasSizeGreaterThanOrEqualTo(10);
    GuardedListener listener = new GuardedListener();
    RealStack guarded = stack.withBroker(listener.brokerProperties());

    // Together, because most of the time is waiting.
    List<MissingRight> all = new ArrayList<>();
    all.add(new MissingRight(guarded, listener, rights, "acl-all", Optional.empty(), false));
    for (DocumentedRight right : rights) {
      if (right.operation() != AclOperation.DELETE) {
        boolean atFirst = ASKED_FOR_AT_FIRST.contains(right.toString());
        String name = "acl-" + all.size();
        all.add(new MissingRight(guarded, listener, rights, name, Optional.of(right), atFirst));
      }
    }
    for (Consumer<MissingRight> step :
        List.<Consumer<MissingRight>>of(
            MissingRight::landsTheFirst,
            MissingRight::isTakenAway,
            MissingRight::isSaid,
            MissingRight::isGivenBack,
            MissingRight::landsAll)) {
      assertAll(all.stream().map(each -> () -> step.accept(each)));
    }
    offsetsAreResetByWhomMayDeleteTheGroup(guarded, listener, rights);
  }

  private static void offsetsAreResetByWhomMayDeleteTheGroup(
      RealStack guarded, GuardedListener listener, List<DocumentedRight> rights) {
    String name = "acl-reset";
    DocumentedRight delete =
        rights.stream()
            .filter(right -> right.operation() == AclOperation.DELETE)
            .findFirst()
            .orElseThrow();
    SourceTopic topic = guarded.topic(name, 1);
    topic.send(Readings.V1, 0, 100);
    rights.stream()
        .filter(right -> !right.equals(delete))
        .forEach(right -> listener.right(right, name, name).allow(guarded));
    Deployment connector =
        guarded.create(listener.loginAsDocumented(ConnectorSettings.of(name, topic)), "STOPPED");

    assertThat(delete.shown()).isEqualTo("the REST API refuses");
    assertThatThrownBy(() -> guarded.connect().resetOffsets(name))
        .isInstanceOf(ConnectRequestException.class)
        .hasMessageContainingAll(delete.textsOf(name, name).toArray(String[]::new));

    listener.right(delete, name, name).allow(guarded);
    guarded.connect().resetOffsets(name);
    connector.resume();
    connector.landsExactly();
  }
}
