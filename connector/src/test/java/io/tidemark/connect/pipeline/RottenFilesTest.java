package io.tidemark.connect.pipeline;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.intake.LandingException;
import io.tidemark.connect.pipeline.RottenStore.Damage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.partition.PartitionSpec;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Damaged files of the store: docs/PROTOCOL.md, "Damaged files", has the table of the effects.
 * Either all records land once nevertheless, or the task stops with a message that names the file
 * and its cure. After the file is restored, all records land once.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class RottenFilesTest {
  private static final Schema WIDER =
      SchemaBuilder.record("Quote")
          .fields()
          .requiredString("key")
          .requiredLong("price")
          .optionalString("venue")
          .endRecord();

  private RottenStore published;
  private RottenStore unpublished;

  @BeforeAll
  void land() throws Exception {
    published = RottenStore.published();
    unpublished = RottenStore.unpublished();
  }

  /** The directory or the name of files, and the number of bytes between two damaged ones. */
  @ParameterizedTest
  @CsvSource({
    "/logs/quotes/identity.json, 3",
    "/logs/quotes/+tables/, 4",
    "/.tidemark/logs/, 4",
    "/.tidemark/layout.json, 3",
    "/.tidemark/schemas/, 3",
    "/.tidemark/catalog/, 4",
    "/logs/quotes/quotes/0/, 60",
  })
  void damagedFileIsToldWithItsCureOrDoesNoHarm(String kind, int step) throws Exception {
    int tried = 0;
    for (RottenStore store : List.of(published, unpublished)) {
      for (String path : store.paths()) {
        if (path.contains(kind)) {
          for (Damage damage : store.damages(path, step)) {
            check(store, path, damage);
            tried++;
          }
        }
      }
    }
    assertThat(tried).as("damages of %s", kind).isGreaterThanOrEqualTo(10);
  }

  private static void check(RottenStore store, String path, Damage damage) throws Exception {
    String what = path + " " + damage;
    Quotes quotes = store.restored();
    store.damage(quotes, path, damage);
    RottenStore.produce(quotes, 4);

    Optional<LandingException> refusal = quotes.landOrStop(RottenStore.task(quotes));
    if (refusal.isPresent()) {
      String message = String.valueOf(refusal.get().getMessage());
      assertThat(message).as(what).containsIgnoringCase("restore");
      assertThat(message).as(what).containsPattern(place(path));
      assertThat(quotes.keys()).as(what).doesNotHaveDuplicates();
      if (!path.startsWith(Quotes.LOG + "/") || store.isReadByRecovery(path)) {
        assertThat(quotes.keys()).as(what).hasSizeLessThanOrEqualTo(quotes.produced.size() - 4);
      }
      store.restore(quotes, path);
      quotes.land(RottenStore.task(quotes));
    }
    assertThat(quotes.keys()).as(what).containsExactlyInAnyOrderElementsOf(quotes.produced);
  }

  /** The file, or the number of an entry in its log. */
  private static String place(String path) {
    String name = path.substring(path.lastIndexOf('/') + 1);
    String quoted = name.replace(".", "\\.");
    if (!path.startsWith(Quotes.LOG + "/")) {
      return quoted;
    }
    // If entries before a checkpoint are left, the message names the first missing one instead.
    return quoted
        + "|entry "
        + Long.parseLong(name.substring(0, 20))
        + "\\b|the checkpoint that replaced them";
  }

  @Test
  void missingNewestSchemaIsToldBeforeTheOneBeforeItCounts() throws Exception {
    Quotes quotes = new Quotes();
    quotes.produce(4);
    quotes.land(task(quotes, Quotes.SCHEMA));
    quotes.produce(1, WIDER, "wide", 1L);
    quotes.land(task(quotes, WIDER));
    StoragePath newest = Quotes.ROOT.child(".tidemark/schemas/0000000002.avsc");
    Optional<String> text = text(quotes, newest.value());
    assertThat(quotes.storage.delete(newest)).isTrue();
    quotes.produce(4);

    assertThat(quotes.landOrStop(task(quotes, Quotes.SCHEMA)).orElseThrow())
        .hasMessageContaining(newest.value())
        .hasMessageContaining("Restore it from a copy");
    assertThat(quotes.storage.find(newest)).isEmpty();

    try (OutputStream out = quotes.storage.create(newest)) {
      out.write(text.orElseThrow().getBytes(ISO_8859_1));
    }
    quotes.land(task(quotes, Quotes.SCHEMA));
    assertThat(quotes.keys()).containsExactlyInAnyOrderElementsOf(quotes.produced);
  }

  /** A task without a catalog, whose registry has a schema. */
  private static TestTask task(Quotes quotes, Schema schema) {
    return new TestTask(
        quotes.topic,
        quotes.storage,
        new OneSchema(schema, 1),
        PartitionSpec.NONE,
        Optional.empty(),
        4,
        100);
  }

  @Test
  void missingMarkDoesNoHarm() throws Exception {
    String marker =
        published.paths().stream()
            .filter(path -> path.contains("/published+"))
            .findFirst()
            .orElseThrow();
    check(published, marker, new Damage.Missing());
  }

  @Test
  void damagedPublishedFileIsLeftToItsReadersAndNothingOfItLandsAgain() throws Exception {
    List<String> files =
        published.paths().stream()
            .filter(path -> path.startsWith(Quotes.ROOT + "/price=0/"))
            .toList();
    for (String path : List.of(files.get(0), files.get(files.size() - 1))) {
      for (Damage damage : published.damages(path, 8)) {
        Quotes quotes = published.restored();
        published.damage(quotes, path, damage);
        Optional<String> left = text(quotes, path);
        RottenStore.produce(quotes, 4);

        Optional<LandingException> refusal = quotes.landOrStop(RottenStore.task(quotes));

        assertThat(text(quotes, path)).as("%s %s", path, damage).isEqualTo(left);
        published.restore(quotes, path);
        if (refusal.isPresent()) { // A new owner checks the lengths of the last entry's files.
          assertThat(refusal.get())
              .hasMessageContaining(path)
              .hasMessageContaining("Restore the published file from a copy");
          quotes.land(RottenStore.task(quotes));
        }
        assertThat(quotes.keys()).containsExactlyInAnyOrderElementsOf(quotes.produced);
      }
    }
  }

  @Test
  void stagedFileOfAnotherLengthIsToldBeforeItIsPublished() throws Exception {
    for (String path : unpublished.paths()) {
      if (!path.contains("/.staging/") || !path.endsWith(".avro")) {
        continue;
      }
      for (Damage damage : List.of(new Damage.Missing(), new Damage.Truncated(100))) {
        Quotes quotes = unpublished.restored();
        unpublished.damage(quotes, path, damage);

        for (int restart = 0; restart < 3; restart++) {
          assertThat(quotes.landOrStop(RottenStore.task(quotes)).orElseThrow())
              .hasMessageContaining(path)
              .hasMessageContaining("To discard its records");
        }

        unpublished.restore(quotes, path);
        quotes.land(RottenStore.task(quotes));
        assertThat(quotes.keys()).containsExactlyInAnyOrderElementsOf(quotes.produced);
      }
    }
  }

  /** Records are discarded only by a step that an operator takes for this purpose. */
  @Test
  void recordsOfAStagedFileThatIsGoneForGoodAreGivenUpByTheStepThatTheErrorNames()
      throws Exception {
    String path = stagedPath();
    Quotes quotes = unpublished.restored();
    unpublished.damage(quotes, path, new Damage.Missing());
    LandingException refusal = quotes.landOrStop(RottenStore.task(quotes)).orElseThrow();

    createMark(quotes, refusal);

    assertThat(discarded(quotes)).hasSize(2);
  }

  @Test
  void recordsWhoseStagingDirectoryIsGoneForGoodAreGivenUpByTheStepThatTheErrorNames()
      throws Exception {
    Quotes quotes = unpublished.restored();
    StoragePath directory = new StoragePath(stagedPath()).parent();
    assertThat(quotes.storage.deleteTree(directory)).isTrue();
    LandingException refusal = quotes.landOrStop(RottenStore.task(quotes)).orElseThrow();
    assertThat(refusal)
        .hasMessageContaining("OPERATIONS.md, \"Removal of a connector\". Otherwise files were")
        .hasMessageContaining("create that directory and the empty file");

    quotes.storage.makeDirectories(directory);
    createMark(quotes, refusal);

    assertThat(discarded(quotes)).hasSize(4);
  }

  private String stagedPath() {
    return unpublished.paths().stream()
        .filter(each -> each.endsWith("-1.avro"))
        .findFirst()
        .orElseThrow();
  }

  /** Creates the empty file that an error names. */
  private static void createMark(Quotes quotes, LandingException refusal) throws Exception {
    String marker =
        String.valueOf(refusal.getMessage()).replaceAll(".*the empty file (\\S+\\d).*", "$1");
    quotes.storage.create(new StoragePath(marker)).close();
  }

  /** Lands further records, and returns the keys of those that have not landed. */
  private static List<String> discarded(Quotes quotes) throws Exception {
    RottenStore.produce(quotes, 4);
    quotes.land(RottenStore.task(quotes));
    assertThat(quotes.keys()).doesNotHaveDuplicates();
    List<String> lost = new ArrayList<>(quotes.produced);
    lost.removeAll(quotes.keys());
    return lost;
  }

  private static Optional<String> text(Quotes quotes, String path) throws Exception {
    StoragePath file = new StoragePath(path);
    if (quotes.storage.find(file).isEmpty()) {
      return Optional.empty();
    }
    try (InputStream in = quotes.storage.open(file)) {
      return Optional.of(new String(in.readAllBytes(), ISO_8859_1));
    }
  }
}
