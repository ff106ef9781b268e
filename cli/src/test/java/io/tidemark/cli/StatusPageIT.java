package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.completeness.ledger.HeldBecause;
import io.tidemark.completeness.ledger.HivePartitionTotal;
import io.tidemark.completeness.ledger.Hold;
import io.tidemark.completeness.ledger.HoldKind;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.table.TableName;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The page of {@code status --html} in a real browser, with the widths of a phone and of a desktop.
 */
@SuppressWarnings("NullAway.Init") // JUnit sets the fields.
class StatusPageIT {
  private static final int PHONE = 360;
  private static final int DESK = 1280;
  private static final Path SHOTS = Path.of("target", "browser");
  private static final String OVERFLOWING =
      "[...document.querySelectorAll('body *')].filter(e => {const r = e.getBoundingClientRect();"
          + " return r.right > document.documentElement.clientWidth + 0.5 || r.left < -0.5})"
          + ".map(e => e.outerHTML.slice(0, 200))";

  // Not a temporary directory, because Chromium still writes to it when its process has ended.
  private final Path directory = SHOTS.resolve("run-" + UUID.randomUUID()).toAbsolutePath();

  private DeployedConnector connector;
  private Chromium browser;

  @BeforeEach
  void start() throws Exception {
    Optional<Path> binary = Chromium.installed();
    if (binary.isEmpty()) {
      String problem =
          "no chromium is in the path, so the page is not tried in a browser: apt-get install chromium";
      assertThat(System.getenv("CI")).as(problem).isNotEqualTo("true");
      System.out.println("SKIPPED: " + problem);
      assumeTrue(false, problem);
    }
    connector = new DeployedConnector(Files.createDirectories(directory.resolve("store")));
    browser =
        Chromium.start(binary.orElseThrow(), Files.createDirectory(directory.resolve("profile")));
  }

  @AfterEach
  void stop() throws Exception {
    if (browser != null) {
      browser.close();
    }
    if (connector != null) {
      connector.close();
    }
  }

  private URI page() {
    Path file = directory.resolve("page.html");
    DeployedConnector.Ended ended = connector.run("status", "--html", file.toString());
    assertThat(file).as(ended.toString()).exists();
    return file.toUri();
  }

  private static HivePartitionTotal total(Instant hour, long late) {
    return new HivePartitionTotal(
        TableName.parse("default.orders"),
        HivePartition.parse("hour=" + hour.toString().substring(11, 13)),
        Optional.of(hour),
        Optional.of(hour.plus(Duration.ofHours(1))),
        5,
        500,
        1,
        late,
        false);
  }

  private void assertFits(int width) throws Exception {
    assertThat(browser.evaluate("innerWidth").asInt()).isEqualTo(width);
    assertThat(browser.evaluate("document.documentElement.scrollWidth").asInt())
        .as("no horizontal scrolling")
        .isLessThanOrEqualTo(width);
    assertThat(browser.evaluate(OVERFLOWING)).as("beyond the window").isEmpty();
  }

  private String background(String selector) throws Exception {
    return browser
        .evaluate(
            "getComputedStyle(document.querySelector('%s')).backgroundColor".formatted(selector))
        .asText();
  }

  @Test
  void hoursAreCellsOfTheirStatesOnAPhoneAndOnADesk() throws Exception {
    Instant day = connector.through.truncatedTo(ChronoUnit.DAYS).minus(Duration.ofDays(1));
    Instant late = day.plus(Duration.ofHours(2));
    connector.reckon(Optional.empty(), List.of(), List.of(total(day, 0), total(late, 3)));
    URI page = page();

    for (int width : new int[] {PHONE, DESK}) {
      browser.show(page, width, width == PHONE, false);
      browser.screenshot(SHOTS.resolve("complete-%d.png".formatted(width)));
      assertFits(width);
      assertCell(day, "complete");
      assertCell(day.plus(Duration.ofHours(1)), "empty");
      assertCell(late, "late");
      assertThat(browser.evaluate("document.querySelectorAll('[data-hour]').length").asInt())
          .isEqualTo(3 * 24);
      JsonNode narrowest =
          browser.evaluate(
              "Math.min(...[...document.querySelectorAll('[data-hour]')]"
                  + ".map(e => Math.min(e.offsetWidth, e.offsetHeight)))");
      assertThat(narrowest.asInt()).as("pixels of a cell").isGreaterThanOrEqualTo(8);
      assertThat(
              List.of(
                  background(".hour.complete"),
                  background(".hour.late"),
                  background(".hour.empty"),
                  background(".hour.waiting")))
          .doesNotHaveDuplicates();
    }
    assertThat(browser.evaluate("performance.getEntriesByType('resource').length").asInt())
        .as("requests")
        .isZero();
  }

  private void assertCell(Instant hour, String state) throws Exception {
    JsonNode cell =
        browser.evaluate(
            "(e => ({state: e.className, label: e.getAttribute('aria-label')}))"
                + "(document.querySelector('[data-hour=\"%s\"]'))".formatted(hour));
    assertThat(cell.path("state").asText()).isEqualTo("hour " + state);
    assertThat(cell.path("label").asText()).contains(hour.toString().substring(0, 16), state);
  }

  @Test
  void longReasonsAndHoldsFitAPhone() throws Exception {
    String topic = "o".repeat(249);
    connector.reckon(
        Optional.of(
            new HeldBecause("LOST", topic + "-1: Kafka no longer retained " + "x".repeat(400))),
        List.of(new Hold(HoldKind.LOST, topic, 1, "t", 100, 250)),
        List.of());
    browser.show(page(), PHONE, true, false);
    browser.screenshot(SHOTS.resolve("held-%d.png".formatted(PHONE)));

    assertFits(PHONE);
    assertThat(browser.evaluate("document.querySelector('#holds').innerText").asText())
        .contains("LOST", topic + "-1@100-250");
  }

  @Test
  void darkIsDark() throws Exception {
    connector.reckon(Optional.empty(), List.of(), List.of());
    URI page = page();
    browser.show(page, PHONE, true, false);
    String light = background("body");
    browser.show(page, PHONE, true, true);
    browser.screenshot(SHOTS.resolve("dark-%d.png".formatted(PHONE)));

    assertThat(background("body")).isNotEqualTo(light);
    assertFits(PHONE);
  }
}
