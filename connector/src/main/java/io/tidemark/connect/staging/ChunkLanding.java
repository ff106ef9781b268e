package io.tidemark.connect.staging;

import io.tidemark.avro.binary.MalformedDatumException;
import io.tidemark.avro.plan.TableDatums;
import io.tidemark.avro.plan.UnresolvableDatumException;
import io.tidemark.connect.batch.RecordChunk;
import io.tidemark.connect.batch.RejectedRecord;
import io.tidemark.connect.table.partition.HivePartition;
import io.tidemark.connect.table.partition.TimePartitioned;
import io.tidemark.connect.table.partition.UnusablePartitionException;
import io.tidemark.connect.table.partition.UnusableTimestampException;
import io.tidemark.registry.SchemaId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One chunk on its way into the blocks of its files. Used once, by one thread.
 *
 * <p>A record that cannot land is left out, with the reason. Records are taken a window at a time,
 * as a plan is run over many datums at once. Where the whole window has one plan and goes to one
 * file, as most do, its bytes are copied there and checked in their place. Else each plan is run
 * over its own datums, and what they became is copied to the files in the order of the offsets: so
 * do windows whose Hive partitions depend on fields, which must be found first.
 */
final class ChunkLanding {
  /** Most records of a window: few enough that their bytes stay in the processor's cache. */
  static final int WINDOW_RECORDS = 64;

  private static final int WINDOW_BYTES = 1 << 18;

  private final ChunkLander lander;
  private final RecordChunk chunk;
  private final LandingPlans plans;
  private final Map<Destination, OpenRun> runs = new LinkedHashMap<>();
  private final Map<SchemaId, Route> routes = new HashMap<>();
  private final List<RejectedRecord> rejected = new ArrayList<>();

  /** Where each record of the window goes. */
  private final Route[] windowRoutes = new Route[WINDOW_RECORDS];

  private final Neighbours neighbours = new Neighbours();

  ChunkLanding(ChunkLander lander, RecordChunk chunk, LandingPlans plans) {
    this.lander = lander;
    this.chunk = chunk;
    this.plans = plans;
  }

  LandedChunk land() {
    int from = 0;
    while (from < chunk.size()) {
      from = landWindow(from, windowEnd(from));
    }
    return new LandedChunk(
        runs.values().stream()
            .filter(run -> run.summary().records() > 0)
            .map(OpenRun::finish)
            .toList(),
        rejected);
  }

  private int windowEnd(int from) {
    int last = Math.min(from + WINDOW_RECORDS, chunk.size());
    long bytes = 0;
    int to = from;
    while (to < last && bytes < WINDOW_BYTES) {
      bytes += chunk.value(to++).length;
    }
    return to;
  }

  /** Lands what it can of a window, and says where the next one begins. */
  private int landWindow(int from, int to) {
    Optional<Fault> fault = land(from, to);
    if (fault.isEmpty()) {
      return to;
    }
    int faulty = fault.get().index();
    if (faulty == from) {
      reject(faulty, reason(faulty, fault.get().cause()));
      return from + 1;
    }
    // Those before it are good; the next window begins with it.
    return landWindow(from, faulty);
  }

  /** A datum that is none of its writer's schema, or that the table cannot hold. */
  private record Fault(int index, MalformedDatumException cause) {}

  /** Lands a window, or nothing of it when it has a fault. */
  private Optional<Fault> land(int from, int to) {
    Route first = findRoutes(from, to);
    Optional<HivePartition> oneFile =
        first.plan.plan().fieldPaths().isEmpty() ? oneFile(first, from, to) : Optional.empty();
    try {
      for (int i = from; i < to; i++) {
        windowRoutes[i - from].planRun.add(chunk, i);
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
        windowRoutes[i - from].planRun.clear();
      }
    }
  }

  /** Finds the route of each record of the window, and gives the first one. */
  private Route findRoutes(int from, int to) {
    for (int i = from; i < to; i++) {
      boolean again = i > from && chunk.schemaId(i).equals(chunk.schemaId(i - 1));
      windowRoutes[i - from] =
          again
              ? windowRoutes[i - from - 1]
              : routes.computeIfAbsent(chunk.schemaId(i), id -> lander.route(plans, id));
    }
    return windowRoutes[0];
  }

  /** The Hive partition of all records of the window, where it is one and they have one plan. */
  // An assigner gives the same object for the same Hive partition again, mostly: identity is quick,
  // and a wrong no costs a copy.
  @SuppressWarnings("ReferenceEquality")
  private Optional<HivePartition> oneFile(Route route, int from, int to) {
    try {
      HivePartition partition = route.assigner.assign(recordTime(route, from));
      for (int i = from + 1; i < to; i++) {
        if (windowRoutes[i - from] != route
            || route.assigner.assign(recordTime(route, i)) != partition) {
          return Optional.empty();
        }
      }
      return Optional.of(partition);
    } catch (UnusableTimestampException e) {
      // Whose time it is, and why it is rejected, is found out record by record.
      return Optional.empty();
    }
  }

  /** Fills the window into the one file that it goes to. */
  private void fill(Route route, HivePartition partition, int from, int to) {
    OpenRun run = openRun(route, partition);
    int next = from;
    while (next < to) {
      long before = run.filler().records();
      int end = to;
      try {
        route.planRun.runInto(run.filler(), next - from);
      } catch (MalformedDatumException e) {
        end = next + (int) (run.filler().records() - before);
        reject(end, reason(end, e));
      }
      for (int i = next; i < end; i++) {
        run.summary().add(chunk.offset(i), chunk.timestamp(i), chunk.schemaId(i));
      }
      next = end + 1;
    }
  }

  /** Runs each plan of the window over its datums; the first fault, if there is one. */
  private Optional<Fault> run(int from, int to) {
    Optional<Fault> first = Optional.empty();
    for (int i = from; i < to; i++) {
      PlanRun planRun = windowRoutes[i - from].planRun;
      if (planRun.record(0) == i) {
        try {
          planRun.run();
        } catch (MalformedDatumException e) {
          int faulty = planRun.record(planRun.results().runSize());
          if (first.isEmpty() || faulty < first.get().index()) {
            first = Optional.of(new Fault(faulty, e));
          }
        }
      }
    }
    return first;
  }

  /** Copies what the datums became to their files, in order, neighbours of one file together. */
  private void spread(int from, int to) {
    for (int i = from; i < to; i++) {
      Route route = windowRoutes[i - from];
      TableDatums results = route.planRun.results();
      int datum = route.planRun.take();
      try {
        long time =
            route.plan.timestampField().isEmpty()
                ? recordTime(route, i)
                : fieldTime(route.plan, results, datum);
        OpenRun run =
            openRun(
                route,
                route.fieldPartitions.isEmpty()
                    ? route.assigner.assign(time)
                    : route.fieldPartitions.get().assign(results, datum));
        if (!neighbours.takes(run, results, datum)) {
          neighbours.append();
          neighbours.begin(run, results, datum);
        }
        run.summary().add(chunk.offset(i), time, chunk.schemaId(i));
      } catch (UnusablePartitionException e) {
        reject(i, String.valueOf(e.getMessage()));
      }
    }
    neighbours.append();
  }

  // See oneFile.
  @SuppressWarnings("ReferenceEquality")
  private OpenRun openRun(Route route, HivePartition partition) {
    OpenRun last = route.lastRun;
    if (last != null && last.destination().partition() == partition) {
      return last;
    }
    var destination = new Destination(route.plan.table(), route.plan.tableSchema(), partition);
    OpenRun run =
        runs.computeIfAbsent(
            destination, d -> new OpenRun(d, lander.newFiller(), new RecordSummary()));
    route.lastRun = run;
    return run;
  }

  private long recordTime(Route route, int index) throws UnusableTimestampException {
    long timestamp = chunk.timestamp(index);
    if (timestamp < 0 && route.plan.table().partitioning() instanceof TimePartitioned) {
      throw new UnusableTimestampException(
          "the record has no timestamp, but its Hive partition is made from it. It was written by a producer "
              + "of a message format without timestamps. Set timestamp.extractor=RecordField and timestamp.field.");
    }
    return timestamp;
  }

  private static long fieldTime(LandingPlan plan, TableDatums results, int datum)
      throws UnusableTimestampException {
    if (!results.hasField(datum, 0)) {
      throw new UnusableTimestampException(
          "field \""
              + plan.plan().fieldPaths().get(0)
              + "\" is null, but the record's Hive partition is made from it. Correct the producer, or name another "
              + "field in timestamp.field.");
    }
    return plan.timestampField()
        .orElseThrow()
        .epochMillis(results.bytes(), results.fieldOffset(datum, 0), results.fieldLength(datum, 0));
  }

  private String reason(int index, MalformedDatumException cause) {
    SchemaId schemaId = chunk.schemaId(index);
    return cause instanceof UnresolvableDatumException
        ? "the table cannot hold the datum of "
            + schemaId
            + ": "
            + cause.getMessage()
            + ". The writer's schema allows what the table's lacks. Correct the producer's schema, then skip this "
            + "record by altering the connector's offsets, or send such records to a dead letter topic."
        : "the datum is not what "
            + schemaId
            + " says: "
            + cause.getMessage()
            + ". The producer wrote it with another schema, or the bytes were damaged. Correct the producer, "
            + "then skip this record by altering the connector's offsets, or send such records to a dead letter topic.";
  }

  private void reject(int index, String reason) {
    rejected.add(chunk.rejected(index, reason));
  }
}
