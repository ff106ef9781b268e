package io.tidemark.connect.hdfs;

import io.tidemark.connect.health.KnownFailure;
import io.tidemark.connect.health.Refusal;
import io.tidemark.connect.health.Service;
import io.tidemark.store.StoreRefusedException;
import io.tidemark.store.StoreRefusedException.Reason;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.util.Optional;
import java.util.stream.Stream;

/** Adds place, cause and cure to a failure of HDFS. */
final class HdfsFailure {
  private static final String KMS = "the key management server (KMS) failed: ";

  private HdfsFailure() {}

  /** Whether Hadoop's client of the KMS failed. Its messages name neither the KMS nor a host. */
  private static boolean isOfKms(IOException failure) {
    return Stream.of(failure.getStackTrace())
        .anyMatch(frame -> frame.getClassName().startsWith("org.apache.hadoop.crypto.key.kms."));
  }

  /** Returns a {@link StoreRefusedException} if an operator must act first, and else another. */
  static IOException of(IOException failure, String location) {
    if (failure instanceof InterruptedIOException && !(failure instanceof SocketTimeoutException)) {
      return failure;
    }
    boolean ofKms = isOfKms(failure);
    KnownFailure known =
        KnownFailure.of(Service.STORE, ofKms ? new IOException(KMS, failure) : failure);
    String problem = location + ": " + (ofKms ? KMS : "") + said(failure);
    Optional<Reason> reason = known.refusal().flatMap(HdfsFailure::reason);
    return reason.isPresent()
        ? new StoreRefusedException(reason.get(), problem, known.cure(), failure)
        : new IOException(known.after(problem) + " The call is retried.", failure);
  }

  /** Empty if the whole store cannot be used, as in an outage. */
  private static Optional<Reason> reason(Refusal refusal) {
    return switch (refusal) {
      case ACCESS -> Optional.of(Reason.ACCESS);
      case QUOTA -> Optional.of(Reason.QUOTA);
      case OTHER -> Optional.of(Reason.LIMIT);
      case LOGIN, ADDRESS -> Optional.empty();
    };
  }

  /** Returns the message without the name node's stack trace. */
  private static String said(IOException e) {
    String message = e.getMessage() == null ? e.toString() : e.getMessage();
    String first = message.lines().findFirst().orElse("");
    return first.endsWith(".") ? first.substring(0, first.length() - 1) : first;
  }
}
