package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.connect.pipeline.RottenStore.Damage;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.commit.Succession;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.NumberedEntry;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Flips each single bit of an entry. The damaged entry is refused, and the entry before it is used,
 * or the bit is in one of the fields that docs/PROTOCOL.md, "Damaged files", lists.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class RottenEntriesTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private RottenStore store;
  private List<String> entries;

  @BeforeAll
  void land() throws Exception {
    store = RottenStore.unpublished();
    entries =
        store.paths().stream()
            .filter(path -> path.startsWith(Quotes.LOG + "/") && !path.contains("checkpoint"))
            .toList();
  }

  @Test
  void flippedBitOfAClaimIsRefusedOrInAFieldThatNoOtherEntryRepeats() throws Exception {
    assertThat(Set.of("attempt", "claimant", "writtenAt"))
        .containsAll(unnoticed(CommitEntry.Claim.class));
  }

  @Test
  void flippedBitOfABatchIsRefusedOrInAFieldThatNoOtherEntryRepeats() throws Exception {
    assertThat(
            Set.of(
                "batchIds.mixed", // such records count for no announced batch
                "files.bytes", // compared when the file is published after a crash
                "files.codec",
                "files.firstOffset",
                "files.lastOffset",
                "files.maxTimestamp",
                "files.minTimestamp",
                "files.path",
                "files.schemaIds",
                "files.schemaVersion",
                "files.staged", // searched when it is published after a crash
                "state.leaderEpoch",
                "state.publishedThrough", // lowered to that of the claim before
                "state.registeredThrough",
                "writtenAt"))
        .containsAll(unnoticed(CommitEntry.Batch.class));
  }

  @Test
  void truncatedEntryIsRefusedWhereverItEnds() throws Exception {
    String path = entries.get(entries.size() - 1);
    for (int length = 0; length < store.bytes(path).length; length++) {
      assertThat(read(path, new Damage.Truncated(length))).as("%d bytes", length).isEmpty();
    }
  }

  /** The fields of the last entry of a kind in which no reader notices a flipped bit. */
  private Set<String> unnoticed(Class<? extends CommitEntry> kind) throws Exception {
    Set<String> fields = new TreeSet<>();
    int last = entries.size() - 1;
    while (!kind.isInstance(entry(entries.get(last)).entry())) {
      last--;
    }
    String path = entries.get(last);
    NumberedEntry<CommitEntry> before = entry(entries.get(last - 1));
    NumberedEntry<CommitEntry> whole = entry(path);
    Succession.require(Quotes.LOG, Optional.of(before), whole);
    for (int offset = 0; offset < store.bytes(path).length; offset++) {
      for (int bit = 0; bit < Byte.SIZE; bit++) {
        Damage damage = new Damage.Flipped(offset, bit);
        Optional<CommitEntry> read = read(path, damage);
        if (read.isPresent() && follows(before, new NumberedEntry<>(whole.number(), read.get()))) {
          differences("", JSON.readTree(store.bytes(path)), written(read.get()), fields);
        }
      }
    }
    assertThat(fields).contains("writtenAt");
    return fields;
  }

  /** The meaning of the entry for a reader: a UUID in capitals is the same. */
  private static JsonNode written(CommitEntry entry) throws IOException {
    return JSON.readTree(CommitEntry.FORMAT.write(entry));
  }

  private NumberedEntry<CommitEntry> entry(String path) throws CorruptLogException {
    String name = path.substring(path.lastIndexOf('/') + 1);
    return new NumberedEntry<>(
        Long.parseLong(name.substring(0, 20)), CommitEntry.FORMAT.read(store.bytes(path), path));
  }

  private Optional<CommitEntry> read(String path, Damage damage) {
    try {
      byte[] left = damage.of(store.bytes(path)).orElseThrow();
      return Optional.of(CommitEntry.FORMAT.read(left, path));
    } catch (CorruptLogException e) {
      assertThat(e).hasMessageContaining(path).hasMessageContaining("estore");
      return Optional.empty();
    }
  }

  private static boolean follows(
      NumberedEntry<CommitEntry> before, NumberedEntry<CommitEntry> entry) {
    try {
      Succession.require(Quotes.LOG, Optional.of(before), entry);
      return true;
    } catch (CorruptLogException e) {
      assertThat(e)
          .hasMessageContaining(String.format("%020d.json", entry.number()))
          .hasMessageContaining("restore");
      return false;
    }
  }

  /**
   * Adds the names of the fields in which two texts differ. In lists it adds the fields of their
   * elements.
   */
  private static void differences(String name, JsonNode one, JsonNode other, Set<String> fields) {
    if (one.isObject() && other.isObject() && !name.equals("claimant")) {
      Set<String> names = new TreeSet<>();
      one.fieldNames().forEachRemaining(names::add);
      other.fieldNames().forEachRemaining(names::add);
      for (String field : names) {
        differences(
            name.isEmpty() ? field : name + "." + field,
            one.path(field),
            other.path(field),
            fields);
      }
    } else if (one.isArray() && one.size() == other.size()) {
      for (int i = 0; i < one.size(); i++) {
        differences(name, one.path(i), other.path(i), fields);
      }
    } else if (!one.equals(other)) {
      fields.add(name);
    }
  }
}
