package io.tidemark.registry.http;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Collects the body of a response up to a size and a time. If the body is larger, it is discarded
 * and the result is empty. If it takes too long, it fails and its connection is closed. Called by
 * one thread at a time, as the flow's contract requires.
 */
final class BoundedBody implements HttpResponse.BodySubscriber<Optional<byte[]>> {
  private final int maxBytes;
  private final long timeoutNanos;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final CompletableFuture<Optional<byte[]>> body = new CompletableFuture<>();
  private Flow.@Nullable Subscription subscription;

  BoundedBody(int maxBytes, long timeoutNanos) {
    this.maxBytes = maxBytes;
    this.timeoutNanos = timeoutNanos;
  }

  @Override
  public CompletionStage<Optional<byte[]>> getBody() {
    return body;
  }

  @Override
  public void onSubscribe(Flow.Subscription given) {
    subscription = given;
    var clock = new CompletableFuture<Void>().orTimeout(timeoutNanos, TimeUnit.NANOSECONDS);
    var unusedCut = clock.whenComplete((stopped, late) -> cutUnlessWhole(late));
    var unusedStop = body.whenComplete((bytes, problem) -> clock.complete(null));
    given.request(Long.MAX_VALUE);
  }

  private void cutUnlessWhole(@Nullable Throwable late) {
    if (late != null
        && body.completeExceptionally(new HttpTimeoutException("the body takes too long"))) {
      cut();
    }
  }

  private void cut() {
    if (subscription != null) {
      subscription.cancel();
    }
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    for (ByteBuffer buffer : buffers) {
      if (body.isDone()) {
        return;
      }
      if (buffer.remaining() > maxBytes - bytes.size()) {
        body.complete(Optional.empty());
        cut();
        return;
      }
      byte[] part = new byte[buffer.remaining()];
      buffer.get(part);
      bytes.writeBytes(part);
    }
  }

  @Override
  public void onError(Throwable problem) {
    body.completeExceptionally(problem);
  }

  @Override
  public void onComplete() {
    body.complete(Optional.of(bytes.toByteArray()));
  }
}
