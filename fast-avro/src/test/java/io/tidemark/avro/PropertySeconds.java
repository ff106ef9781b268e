package io.tidemark.avro;

import java.util.List;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.lifecycle.AroundTryHook;
import net.jqwik.api.lifecycle.Lifespan;
import net.jqwik.api.lifecycle.PropagationMode;
import net.jqwik.api.lifecycle.Store;
import net.jqwik.api.lifecycle.TryExecutionResult;
import net.jqwik.api.lifecycle.TryExecutor;
import net.jqwik.api.lifecycle.TryLifecycleContext;

/**
 * Ends each property after some seconds, with the tries that it has made by then. jqwik draws a new
 * seed for each run. The system property {@code io.tidemark.property.seconds} is the limit; 0 means
 * that all tries are made, as in {@code .ci/full}.
 */
public final class PropertySeconds implements AroundTryHook {
  private static final long LIMIT_NANOS =
      TimeUnit.SECONDS.toNanos(Long.getLong("io.tidemark.property.seconds", 2));

  @Override
  public TryExecutionResult aroundTry(
      TryLifecycleContext context, TryExecutor attempt, List<Object> parameters) {
    Store<Long> begun =
        Store.getOrCreate(context.targetMethod(), Lifespan.PROPERTY, () -> System.nanoTime());
    TryExecutionResult result = attempt.execute(parameters);
    boolean over = LIMIT_NANOS > 0 && System.nanoTime() - begun.get() > LIMIT_NANOS;
    return over && result.isSatisfied() ? TryExecutionResult.satisfied(true) : result;
  }

  @Override
  public PropagationMode propagateTo() {
    return PropagationMode.ALL_DESCENDANTS;
  }
}
