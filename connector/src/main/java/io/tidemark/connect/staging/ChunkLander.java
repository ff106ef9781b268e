package io.tidemark.connect.staging;

import io.tidemark.avro.binary.MalformedDatumException;
import io.tidemark.avro.file.BlockFiller;
import io.tidemark.avro.file.CompressorPool;
import io.tidemark.avro.plan.Plan;
import io.tidemark.avro.plan.PlanInterpreter;
import io.tidemark.avro.plan.PlanRunner;
import io.tidemark.avro.plan.TableDatum;
import io.tidemark.avro.plan.UnresolvableDatumException;
import io.tidemark.connect.batch.RecordChunk;
import io.tidemark.connect.batch.RecordPlace;
import io.tidemark.connect.batch.RejectedRecord;
import io.tidemark.connect.table.partition.HivePartition;
import io.tidemark.connect.table.partition.PartitionAssigner;
import io.tidemark.connect.table.partition.PartitionSpec;
import io.tidemark.connect.table.partition.TimestampField;
import io.tidemark.connect.table.partition.UnusableTimestampException;
import io.tidemark.registry.wire.WireFormat;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Runs plans over chunks: each datum is checked, its Hive partition found, its bytes copied into
 * the blocks of its file. Not safe for use by two threads at once; one lander serves one worker at
 * a time, and keeps its plan runners from chunk to chunk.
 */
final class ChunkLander {
  private static final int KEPT_RUNNERS = 64;

  private final CompressorPool compressors;
  private final int blockSizeBytes;
  private final IdentityHashMap<Plan, PlanRunner> runners = new IdentityHashMap<>();
  private final IdentityHashMap<PartitionSpec, PartitionAssigner> assigners =
      new IdentityHashMap<>();
  private final TableDatum datum = new TableDatum();

  ChunkLander(CompressorPool compressors, int blockSizeBytes) {
    this.compressors = compressors;
    this.blockSizeBytes = blockSizeBytes;
  }

  /** The runs of a chunk, one for each file that it touches. */
  // An assigner gives the same object for the same Hive partition again, mostly: identity is the
  // quick first look.
  @SuppressWarnings("ReferenceEquality")
  List<FilledRun> land(RecordChunk chunk, LandingPlans plans) throws RejectedRecordException {
    Map<Destination, OpenRun> runs = new LinkedHashMap<>();
    Map<Integer, Route> routes = new HashMap<>();
    Route route = null;
    for (int i = 0; i < chunk.size(); i++) {
      if (route == null || route.plan.schemaId() != chunk.schemaId(i)) {
        route = routes.computeIfAbsent(chunk.schemaId(i), id -> route(plans, id));
      }
      byte[] value = chunk.value(i);
      long timestamp;
      HivePartition partition;
      try {
        route.runner.run(
            value, WireFormat.DATUM_OFFSET, value.length - WireFormat.DATUM_OFFSET, datum);
        timestamp = timestamp(route.plan, chunk, i);
        partition = route.assigner.assign(timestamp);
      } catch (UnresolvableDatumException e) {
        throw rejected(
            chunk,
            i,
            "the table cannot hold the datum of schema id "
                + chunk.schemaId(i)
                + ": "
                + e.getMessage()
                + ". The writer's schema allows what the table's lacks. Correct the producer's schema, then skip this "
                + "record by altering the connector's offsets.");
      } catch (MalformedDatumException e) {
        throw rejected(
            chunk,
            i,
            "the datum is not what schema id "
                + chunk.schemaId(i)
                + " says: "
                + e.getMessage()
                + ". The producer wrote it with another schema, or the bytes were damaged. Correct the producer, "
                + "then skip this record by altering the connector's offsets.");
      } catch (UnusableTimestampException e) {
        throw rejected(chunk, i, String.valueOf(e.getMessage()));
      }
      OpenRun run = route.lastRun;
      if (run == null || run.destination.partition() != partition) {
        Destination destination =
            new Destination(route.plan.table(), route.plan.tableSchema(), partition);
        run =
            runs.computeIfAbsent(
                destination, d -> new OpenRun(d, new BlockFiller(compressors, blockSizeBytes)));
        route.lastRun = run;
      }
      run.filler.append(datum.bytes(), datum.offset(), datum.length());
      run.summary.add(chunk.offset(i), timestamp, chunk.schemaId(i));
    }
    List<FilledRun> filled = new ArrayList<>(runs.size());
    for (OpenRun run : runs.values()) {
      filled.add(new FilledRun(run.destination, run.filler.finish(), run.summary));
    }
    return filled;
  }

  private long timestamp(LandingPlan plan, RecordChunk chunk, int index)
      throws RejectedRecordException, UnusableTimestampException {
    if (plan.timestampField().isEmpty()) {
      long timestamp = chunk.timestamp(index);
      if (timestamp < 0 && !plan.table().partitioning().columns().isEmpty()) {
        throw rejected(
            chunk,
            index,
            "the record has no timestamp, but its Hive partition is made from it. It was written by a producer "
                + "of a message format without timestamps. Set timestamp.extractor=RecordField and timestamp.field.");
      }
      return timestamp;
    }
    TimestampField field = plan.timestampField().get();
    if (!datum.hasField(0)) {
      throw rejected(
          chunk,
          index,
          "field \""
              + plan.plan().fieldPaths().get(0)
              + "\" is null, but the record's Hive partition is made from it. Correct the producer, or name another "
              + "field in timestamp.field.");
    }
    return field.epochMillis(datum.bytes(), datum.fieldOffset(0), datum.fieldLength(0));
  }

  private Route route(LandingPlans plans, int schemaId) {
    LandingPlan plan = plans.find(schemaId);
    if (plan == null) {
      throw new IllegalStateException(
          "schema id " + schemaId + " reached a worker before its plan");
    }
    if (runners.size() > KEPT_RUNNERS) {
      runners.clear();
      assigners.clear();
    }
    return new Route(
        plan,
        runners.computeIfAbsent(plan.plan(), PlanInterpreter::new),
        assigners.computeIfAbsent(plan.table().partitioning(), PartitionSpec::assigner));
  }

  private static RejectedRecordException rejected(RecordChunk chunk, int index, String reason) {
    return new RejectedRecordException(
        new RejectedRecord(new RecordPlace(chunk.topicPartition(), chunk.offset(index)), reason));
  }

  /** Where records of one schema id go, and the run that the last of them went to. */
  private static final class Route {
    final LandingPlan plan;
    final PlanRunner runner;
    final PartitionAssigner assigner;
    @Nullable OpenRun lastRun;

    Route(LandingPlan plan, PlanRunner runner, PartitionAssigner assigner) {
      this.plan = plan;
      this.runner = runner;
      this.assigner = assigner;
    }
  }

  private record OpenRun(Destination destination, BlockFiller filler, RecordSummary summary) {
    OpenRun(Destination destination, BlockFiller filler) {
      this(destination, filler, new RecordSummary());
    }
  }
}
