package io.tidemark.connect.staging;

import io.tidemark.avro.binary.MalformedDatumException;
import io.tidemark.avro.plan.TableDatums;
import io.tidemark.avro.plan.UnresolvableDatumException;
import io.tidemark.connect.batch.RecordChunk;
import io.tidemark.connect.batch.RecordPlace;
import io.tidemark.connect.batch.RejectedRecord;
import io.tidemark.connect.table.partition.HivePartition;
import io.tidemark.connect.table.partition.UnusableTimestampException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One chunk on its way into the blocks of its files. Used once, by one thread.
 *
 * <p>Records are taken a window at a time, as a plan is run over many datums at once. Where the
 * whole window has one plan and goes to one file, as most do, its bytes are copied there and
 * checked in their place. Else each plan is run over its own datums, and what they became is copied
 * to the files in the order of the offsets: so do windows whose records tell their time in a field,
 * which must be found first.
 */
final class ChunkLanding {
  /** Most records of a window: few enough that their bytes stay in the processor's cache. */
  static final int WINDOW_RECORDS = 64;

  private static final int WINDOW_BYTES = 1 << 18;

  private final ChunkLander lander;
  private final RecordChunk chunk;
  private final LandingPlans plans;
  private final Map<Destination, OpenRun> runs = new LinkedHashMap<>();
  private final Map<Integer, Route> routes = new HashMap<>();

  /** Where each record of the window goes. */
  private final Route[] windowRoutes = new Route[WINDOW_RECORDS];

  ChunkLanding(ChunkLander lander, RecordChunk chunk, LandingPlans plans) {
    this.lander = lander;
    this.chunk = chunk;
    this.plans = plans;
  }

  List<FilledRun> land() throws RejectedRecordException {
    int from = 0;
    while (from < chunk.size()) {
      int to = windowEnd(from);
      landWindow(from, to);
      from = to;
    }
    return runs.values().stream().map(OpenRun::finish).toList();
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

  private void landWindow(int from, int to) throws RejectedRecordException {
    Route first = findRoutes(from, to);
    boolean oneFile = first.plan.timestampField().isEmpty() && goToOneFile(first, from, to);
    try {
      for (int i = from; i < to; i++) {
        windowRoutes[i - from].planRun.add(chunk, i);
      }
      if (oneFile) {
        fill(first, from, to);
      } else {
        spread(from, to);
      }
    } finally {
      for (int i = from; i < to; i++) {
        windowRoutes[i - from].planRun.clear();
      }
    }
  }

  /** Finds the route of each record of the window, and gives the first one. */
  private Route findRoutes(int from, int to) {
    for (int i = from; i < to; i++) {
      boolean again = i > from && chunk.schemaId(i) == chunk.schemaId(i - 1);
      windowRoutes[i - from] =
          again
              ? windowRoutes[i - from - 1]
              : routes.computeIfAbsent(chunk.schemaId(i), id -> lander.route(plans, id));
    }
    return windowRoutes[0];
  }

  // An assigner gives the same object for the same Hive partition again, mostly: identity is quick,
  // and a wrong no costs a copy.
  @SuppressWarnings("ReferenceEquality")
  private boolean goToOneFile(Route route, int from, int to) throws RejectedRecordException {
    HivePartition partition = hivePartition(route, from, recordTime(route, from));
    for (int i = from + 1; i < to; i++) {
      if (windowRoutes[i - from] != route
          || hivePartition(route, i, recordTime(route, i)) != partition) {
        return false;
      }
    }
    return true;
  }

  /** Fills the window into the one file that it goes to. */
  private void fill(Route route, int from, int to) throws RejectedRecordException {
    OpenRun run = openRun(route, hivePartition(route, from, recordTime(route, from)));
    long before = run.filler().records();
    try {
      route.planRun.runInto(run.filler());
    } catch (MalformedDatumException e) {
      throw malformed(from + (int) (run.filler().records() - before), e);
    }
    for (int i = from; i < to; i++) {
      run.summary().add(chunk.offset(i), chunk.timestamp(i), chunk.schemaId(i));
    }
  }

  /** Runs each plan of the window, then copies what the datums became to their files, in order. */
  private void spread(int from, int to) throws RejectedRecordException {
    for (int i = from; i < to; i++) {
      PlanRun planRun = windowRoutes[i - from].planRun;
      if (planRun.record(0) == i) {
        run(planRun);
      }
    }
    for (int i = from; i < to; i++) {
      Route route = windowRoutes[i - from];
      TableDatums results = route.planRun.results();
      int datum = route.planRun.take();
      long time =
          route.plan.timestampField().isEmpty()
              ? recordTime(route, i)
              : fieldTime(route.plan, results, datum, i);
      OpenRun run = openRun(route, hivePartition(route, i, time));
      int offset = results.offset(datum);
      run.filler().append(results.bytes(), offset, results.end(datum) - offset);
      run.summary().add(chunk.offset(i), time, chunk.schemaId(i));
    }
  }

  private void run(PlanRun planRun) throws RejectedRecordException {
    try {
      planRun.run();
    } catch (MalformedDatumException e) {
      throw malformed(planRun.record(planRun.results().runSize()), e);
    }
  }

  // See goToOneFile.
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

  private HivePartition hivePartition(Route route, int index, long time)
      throws RejectedRecordException {
    try {
      return route.assigner.assign(time);
    } catch (UnusableTimestampException e) {
      throw rejected(index, String.valueOf(e.getMessage()));
    }
  }

  private long recordTime(Route route, int index) throws RejectedRecordException {
    long timestamp = chunk.timestamp(index);
    if (timestamp < 0 && !route.plan.table().partitioning().columns().isEmpty()) {
      throw rejected(
          index,
          "the record has no timestamp, but its Hive partition is made from it. It was written by a producer "
              + "of a message format without timestamps. Set timestamp.extractor=RecordField and timestamp.field.");
    }
    return timestamp;
  }

  private long fieldTime(LandingPlan plan, TableDatums results, int datum, int index)
      throws RejectedRecordException {
    if (!results.hasField(datum, 0)) {
      throw rejected(
          index,
          "field \""
              + plan.plan().fieldPaths().get(0)
              + "\" is null, but the record's Hive partition is made from it. Correct the producer, or name another "
              + "field in timestamp.field.");
    }
    try {
      return plan.timestampField()
          .orElseThrow()
          .epochMillis(
              results.bytes(), results.fieldOffset(datum, 0), results.fieldLength(datum, 0));
    } catch (UnusableTimestampException e) {
      throw rejected(index, String.valueOf(e.getMessage()));
    }
  }

  private RejectedRecordException malformed(int index, MalformedDatumException cause) {
    int schemaId = chunk.schemaId(index);
    return rejected(
        index,
        cause instanceof UnresolvableDatumException
            ? "the table cannot hold the datum of schema id "
                + schemaId
                + ": "
                + cause.getMessage()
                + ". The writer's schema allows what the table's lacks. Correct the producer's schema, then skip this "
                + "record by altering the connector's offsets."
            : "the datum is not what schema id "
                + schemaId
                + " says: "
                + cause.getMessage()
                + ". The producer wrote it with another schema, or the bytes were damaged. Correct the producer, "
                + "then skip this record by altering the connector's offsets.");
  }

  private RejectedRecordException rejected(int index, String reason) {
    return new RejectedRecordException(
        new RejectedRecord(new RecordPlace(chunk.topicPartition(), chunk.offset(index)), reason));
  }
}
