package io.tidemark.connect.staging;

import io.tidemark.avro.binary.MalformedDatumException;
import io.tidemark.avro.plan.AdjacentDatums;
import io.tidemark.avro.plan.TableDatums;
import io.tidemark.avro.plan.UnresolvableDatumException;
import io.tidemark.registry.SchemaId;
import io.tidemark.store.PrintableText;
import io.tidemark.store.batch.RecordPlace;
import io.tidemark.store.batch.RejectedRecord;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.partition.UnusablePartitionException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Writes one chunk to the blocks of its files. Not thread-safe. Each object lands one chunk.
 *
 * <p>Records that cannot land are returned with their reasons. Records are processed a slice at a
 * time, because a plan runs over many datums in one call. Most slices have one plan and go to one
 * file. Their bytes are copied to the block and checked there. Otherwise each plan runs over its
 * own datums, and the results are copied to the files in the order of the offsets. The same applies
 * if the Hive partition depends on a field, because the field must be found first.
 */
final class ChunkLanding {
  /** Maximum records of a slice: few, so that their bytes stay in the processor's cache. */
  static final int SLICE_RECORDS = 64;

  private static final int SLICE_BYTES = 1 << 18;

  /** The records of a chunk may grow to twice its memory. Those that remain are landed later. */
  private static final int MOST_GROWTH = 2;

  private final ChunkLander lander;
  private final RecordChunk chunk;
  private final Bindings bindings;
  private final Map<Destination, ChunkPart.Writer> parts = new LinkedHashMap<>();
  private final Map<SchemaId, SchemaLanding> landingById = new HashMap<>();
  private final List<RejectedRecord> rejected = new ArrayList<>();

  /** How each record of the slice lands. */
  private final SchemaLanding[] landings = new SchemaLanding[SLICE_RECORDS];

  private final AdjacentDatums adjacent = new AdjacentDatums();
  private long writtenBytes;

  ChunkLanding(ChunkLander lander, RecordChunk chunk, Bindings bindings) {
    this.lander = lander;
    this.chunk = chunk;
    this.bindings = bindings;
  }

  LandedChunk land() {
    int from = 0;
    while (from < chunk.size() && writtenBytes <= MOST_GROWTH * chunk.bufferedBytes()) {
      from = landSlice(from, sliceEnd(from));
    }
    return new LandedChunk(
        parts.values().stream()
            .filter(part -> part.summary().records() > 0)
            .map(ChunkPart.Writer::finish)
            .toList(),
        rejected,
        Math.max(0, writtenBytes - chunk.bufferedBytes()),
        chunk.from(from));
  }

  private int sliceEnd(int from) {
    int last = Math.min(from + SLICE_RECORDS, chunk.size());
    long bytes = 0;
    int to = from;
    while (to < last && bytes < SLICE_BYTES) {
      bytes += chunk.value(to++).length;
    }
    return to;
  }

  /** Lands a slice up to its first fault, and returns the start of the next slice. */
  private int landSlice(int from, int to) {
    Optional<Fault> fault = land(from, to);
    if (fault.isEmpty()) {
      return to;
    }
    int faulty = fault.get().index();
    if (faulty == from) {
      reject(faulty, fault.get().cause());
      return from + 1;
    }
    // The records before the fault are valid. The next slice begins with the fault.
    return landSlice(from, faulty);
  }

  /** A datum that does not match its writer schema, or that the table schema cannot represent. */
  private record Fault(int index, MalformedDatumException cause) {}

  /** Lands a whole slice, or no record of the slice if there is a fault. */
  private Optional<Fault> land(int from, int to) {
    SchemaLanding first = findLandings(from, to);
    boolean byDatum =
        first.timestampIndex >= 0 || first.datumPartitions.isPresent() || first.route.isPresent();
    Optional<HivePartition> oneFile = byDatum ? Optional.empty() : oneFile(first, from, to);
    try {
      for (int i = from; i < to; i++) {
        landings[i - from].converter.add(chunk, i);
      }
      if (oneFile.isPresent()) {
        fill(first, oneFile.get(), from, to);
        return Optional.empty();
      }
      Optional<Fault> fault = run(from, to);
      if (fault.isEmpty()) {
        spread(from, to);
      }
      return fault;
    } finally {
      for (int i = from; i < to; i++) {
        landings[i - from].converter.clear();
      }
    }
  }

  /** Finds how each record of the slice lands, and returns this for the first record. */
  private SchemaLanding findLandings(int from, int to) {
    for (int i = from; i < to; i++) {
      boolean again = i > from && chunk.schemaAsBefore(i);
      landings[i - from] =
          again
              ? landings[i - from - 1]
              : landingById.computeIfAbsent(
                  chunk.schemaId(i),
                  id -> lander.bind(bindings.require(id), chunk.topicPartition()));
    }
    return landings[0];
  }

  /** Returns the Hive partition if all records of the slice have the same one, and one plan. */
  // An assigner mostly returns the same object for the same Hive partition, and comparing
  // identities is quick. Equal but different objects only cost one more copy of the records.
  @SuppressWarnings("ReferenceEquality")
  private Optional<HivePartition> oneFile(SchemaLanding bound, int from, int to) {
    try {
      HivePartition partition = bound.assigner.assign(recordTime(bound, from));
      for (int i = from + 1; i < to; i++) {
        if (landings[i - from] != bound
            || bound.assigner.assign(recordTime(bound, i)) != partition) {
          return Optional.empty();
        }
      }
      return Optional.of(partition);
    } catch (UnusablePartitionException e) {
      // The slow path finds the record and the reason.
      return Optional.empty();
    }
  }

  private void fill(SchemaLanding bound, HivePartition partition, int from, int to) {
    ChunkPart.Writer part = openPart(bound, partition);
    int next = from;
    while (next < to) {
      long before = part.segment().records();
      long bytesBefore = part.segment().rawBytes();
      int end = to;
      try {
        bound.converter.runInto(part.segment(), next - from);
      } catch (MalformedDatumException e) {
        end = next + (int) (part.segment().records() - before);
        reject(end, e);
      }
      for (int i = next; i < end; i++) {
        part.add(chunk.offset(i), chunk.timestamp(i), chunk.schemaId(i));
      }
      writtenBytes += part.segment().rawBytes() - bytesBefore;
      next = end + 1;
    }
  }

  /** Runs each plan over its datums, and returns the first fault. */
  private Optional<Fault> run(int from, int to) {
    Optional<Fault> first = Optional.empty();
    for (int i = from; i < to; i++) {
      DatumConverter converter = landings[i - from].converter;
      if (converter.record(0) == i) {
        try {
          converter.run();
          writtenBytes += converter.results().size();
        } catch (MalformedDatumException e) {
          int faulty = converter.record(converter.results().runSize());
          if (first.isEmpty() || faulty < first.get().index()) {
            first = Optional.of(new Fault(faulty, e));
          }
        }
      }
    }
    return first;
  }

  /** Copies the results to their files in order; adjacent results of one file together. */
  private void spread(int from, int to) {
    for (int i = from; i < to; i++) {
      SchemaLanding bound = landings[i - from];
      TableDatums results = bound.converter.results();
      int datum = bound.converter.take();
      if (bound.route.isPresent()) {
        Optional<SchemaLanding> routed = route(bound.route.get(), results, datum, i);
        if (routed.isEmpty()) {
          continue;
        }
        if (!routed.get().hasConverter(bound.converter)) {
          // The record's table has another schema: run its plan for this record separately.
          adjacent.flush();
          results = runAlone(routed.get(), i);
          datum = 0;
          if (results == null) {
            continue;
          }
        }
        bound = routed.get();
      }
      try {
        long time =
            bound.timestampIndex < 0
                ? recordTime(bound, i)
                : fieldTime(bound.binding, bound.timestampIndex, results, datum);
        ChunkPart.Writer part =
            openPart(
                bound,
                bound.datumPartitions.isEmpty()
                    ? bound.assigner.assign(time)
                    : bound
                        .datumPartitions
                        .get()
                        .assign(results, datum, chunk.topicPartition(), time));
        adjacent.append(results, datum, part.segment());
        part.add(chunk.offset(i), time, chunk.schemaId(i));
        if (landings[i - from].route.isPresent()) {
          chunk.goesTo(i, bound.tableName); // Only now is it certain to land.
        }
      } catch (UnusablePartitionException e) {
        rejected.add(
            chunk.rejected(i, RejectedRecord.Kind.HIVE_PARTITION, String.valueOf(e.getMessage())));
      }
    }
    adjacent.flush();
  }

  /** Returns the landing in the table that a field's value selects; empty if there is none. */
  private Optional<SchemaLanding> route(
      ChunkRoute route, TableDatums results, int datum, int index) {
    Optional<SchemaLanding> routed = route.find(results, datum);
    if (routed.isPresent()) {
      return routed;
    }
    String reason = route.unrouted(results, datum);
    if (!route.deadLetters()) {
      throw new CompletionException(
          new RejectedRecordException(
              new RecordPlace(chunk.topicPartition(), chunk.offset(index)), reason));
    }
    rejected.add(chunk.rejected(index, RejectedRecord.Kind.UNROUTED, reason));
    return routed;
  }

  /** Runs a plan over one record's datum; null if the record is rejected. */
  private @Nullable TableDatums runAlone(SchemaLanding bound, int index) {
    DatumConverter converter = bound.converter;
    converter.clear();
    converter.add(chunk, index);
    try {
      converter.run();
      return converter.results();
    } catch (MalformedDatumException e) {
      reject(index, e);
      return null;
    }
  }

  // See oneFile.
  @SuppressWarnings("ReferenceEquality")
  private ChunkPart.Writer openPart(SchemaLanding bound, HivePartition partition) {
    ChunkPart.Writer last = bound.lastPart;
    if (last != null && last.destination().partition() == partition) {
      return last;
    }
    ChunkPart.Writer part = bound.parts.get(partition);
    if (part == null) {
      part =
          parts.computeIfAbsent(
              new Destination(bound.binding.table(), bound.binding.tableSchema(), partition),
              lander::newPart);
      bound.parts.put(partition, part);
    }
    bound.lastPart = part;
    return part;
  }

  private long recordTime(SchemaLanding bound, int index) throws UnusablePartitionException {
    long timestamp = chunk.timestamp(index);
    if (timestamp < 0 && bound.byTime) {
      throw new UnusablePartitionException(
          "the record has no timestamp, but its Hive partition depends on the timestamp. Its producer uses a message format without timestamps. Set timestamp.extractor=RecordField and timestamp.field.");
    }
    return timestamp;
  }

  private static long fieldTime(Binding binding, int field, TableDatums results, int datum)
      throws UnusablePartitionException {
    if (!results.hasField(datum, field)) {
      throw new UnusablePartitionException(
          "field \"%s\" is null, but the record's Hive partition depends on this field. Correct the producer, or name another field in timestamp.field."
              .formatted(binding.plan().fieldPaths().get(field)));
    }
    return binding
        .timestampField()
        .orElseThrow()
        .epochMillis(
            results.bytes(), results.fieldOffset(datum, field), results.fieldLength(datum, field));
  }

  private String reason(int index, MalformedDatumException cause) {
    String reason =
        cause instanceof UnresolvableDatumException
            ? "the table schema cannot represent the datum of %s: %s. The writer schema allows values that the table schema lacks. Correct the producer's schema."
            : "the datum does not match %s: %s. The producer wrote it with another schema, or the bytes were damaged. Correct the producer.";
    return reason.formatted(chunk.schemaId(index), PrintableText.messageOf(cause));
  }

  private void reject(int index, MalformedDatumException cause) {
    RejectedRecord.Kind kind =
        cause instanceof UnresolvableDatumException
            ? RejectedRecord.Kind.UNRESOLVABLE
            : RejectedRecord.Kind.DAMAGED;
    rejected.add(chunk.rejected(index, kind, reason(index, cause)));
  }
}
