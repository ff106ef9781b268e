package io.tidemark.connect.staging;

import io.tidemark.avro.codegen.CompiledPlans;
import io.tidemark.connect.format.DataFileFactory;
import io.tidemark.connect.storage.Storage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What all batches of a task share while they are staged. Safe for use by many threads.
 *
 * @param workers run plans and compress: as many threads as cores are to be used
 * @param writers wait for the store: open, write and close files, as many at once as there are
 *     threads
 * @param files makes the files; to be closed when no batch is staged any more
 * @param compiledPlans makes the plans' classes, for all tasks of the plugin
 */
public record StagingResources(
    Storage storage,
    StagingSettings settings,
    MemoryBudget memory,
    Executor workers,
    Executor writers,
    DataFileFactory files,
    CompiledPlans compiledPlans,
    ConcurrentLinkedQueue<ChunkLander> idleLanders,
    AtomicInteger openFiles) {

  public StagingResources(
      Storage storage,
      StagingSettings settings,
      MemoryBudget memory,
      Executor workers,
      Executor writers,
      DataFileFactory files,
      CompiledPlans compiledPlans) {
    this(
        storage,
        settings,
        memory,
        workers,
        writers,
        files,
        compiledPlans,
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
