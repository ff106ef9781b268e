package io.tidemark.connect.staging;

import io.tidemark.avro.codegen.CompiledPlans;
import io.tidemark.store.Storage;
import io.tidemark.store.file.AvroFileFactory;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The resources that all batches of a task share while they are staged. Thread-safe.
 *
 * @param workers the staging threads, which run plans and compress
 * @param writers threads that wait for the store; each processes one file at a time
 */
public record StagingResources(
    Storage storage,
    StagingSettings settings,
    MemoryBudget memory,
    Executor workers,
    Executor writers,
    AvroFileFactory files,
    CompiledPlans compiledPlans,
    HivePartitionLimit hivePartitions,
    ConcurrentLinkedQueue<ChunkLander> idleLanders,
    AtomicInteger openFiles) {

  ChunkLander borrowLander() {
    ChunkLander idle = idleLanders.poll();
    return idle != null
        ? idle
        : new ChunkLander(files, compiledPlans, settings.fileLimits().divide());
  }

  void giveBack(ChunkLander lander) {
    idleLanders.add(lander);
  }
}
