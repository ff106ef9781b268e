package io.tidemark.completeness.ledger;

import io.tidemark.store.batch.RecordCounts;
import io.tidemark.store.log.JsonFormat;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;

/**
 * The content of a Hive partition's {@code _SUCCESS}: its first completion, which never changes.
 *
 * @param revision the number of the ledger's entry that recorded the completion
 * @param latenessMs the minimum time from the Hive partition's end to the snapshot, in milliseconds
 * @param frameworkMayDrop whether records may have been dropped, uncounted, before the task
 * @param topics the number of offsets of each topic since its previous covered snapshot, by class
 * @param acknowledged the holds that do not prevent the completion, because an operator
 *     acknowledged them or the configuration ignores them
 */
public record Manifest(
    String log,
    Completion completion,
    long revision,
    long latenessMs,
    boolean frameworkMayDrop,
    SortedMap<String, RecordCounts> topics,
    List<Hold> acknowledged) {

  /** The name of a manifest's file. Hive ignores it, and schedulers wait for it. */
  public static final String FILE_NAME = "_SUCCESS";

  /** The files of manifests. {@code docs/PROTOCOL.md}, "The ledger", has an example. */
  public static final JsonFormat<Manifest> FORMAT =
      JsonFormat.evolving("the manifest", Manifest.class, Set.of());

  public Manifest {
    topics = Sorted.copyOf(topics);
    acknowledged = List.copyOf(acknowledged);
    if (latenessMs < 0 || revision <= completion.snapshot()) {
      throw new IllegalArgumentException(
          "revision %d of snapshot %d, lateness %d ms"
              .formatted(revision, completion.snapshot(), latenessMs));
    }
  }
}
