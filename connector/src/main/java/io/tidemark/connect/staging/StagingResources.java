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
 * @param workers the staging threads, one for each core to use: they run plans and compress
 * @param writers threads that open, write and close files and wait for the store; each thread
 *     processes one file at a time
 * @param files creates the files; closed when no batch is staged any more
 * @param compiledPlans compiles the plans, for all tasks of the plugin
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

  public StagingResources(
      Storage storage,
      StagingSettings settings,
      MemoryBudget memory,
      Executor workers,
      Executor writers,
      AvroFileFactory files,
      CompiledPlans compiledPlans,
      HivePartitionLimit hivePartitions) {
    this(
        storage,
        settings,
        memory,
        workers,
        writers,
        files,
        compiledPlans,
        hivePartitions,
        new ConcurrentLinkedQueue<>(),
        new AtomicInteger());
  }

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
