package io.tidemark.connect.hdfs;

import io.tidemark.connect.storage.StoreRefusedException;
import io.tidemark.connect.storage.StoreRefusedException.Reason;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hdfs.protocol.QuotaExceededException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;

/**
 * What a name node refuses until an operator has changed something, by a limit or a permission,
 * with what to do about it. Its own words name the directory and the limit or the user.
 */
final class HdfsRefusal {
  private static final String DIRECTORY_ITEMS = "MaxDirectoryItemsExceededException";
  private static final String ENCRYPTION_ZONE = "encryption zone";

  static final String ONE_ZONE =
      "A table must lie in one encryption zone, with its .staging directory: make the zone above the"
          + " table's root, or remove the zone's directory inside of the table.";

  private HdfsRefusal() {}

  /** The refusal that an answer is; empty where it is none of these. */
  static Optional<StoreRefusedException> in(IOException answer, String location) {
    IOException e =
        answer instanceof RemoteException remote ? remote.unwrapRemoteException() : answer;
    return of(e)
        .map(
            refusal ->
                new StoreRefusedException(
                    refusal.reason(), location + ": " + said(e), refusal.cure(), answer));
  }

  private record Refusal(Reason reason, String cure) {}

  private static Optional<Refusal> of(IOException e) {
    String message = String.valueOf(e.getMessage());
    if (e instanceof QuotaExceededException) {
      return refusal(
          Reason.QUOTA,
          "Raise the quota of that directory (hdfs dfsadmin -setQuota or -setSpaceQuota), or remove"
              + " files below it.");
    }
    if (e instanceof AccessControlException) {
      return refusal(
          Reason.ACCESS,
          "Let that user do so: give it the directory (hdfs dfs -chown), or an entry in its ACL (hdfs"
              + " dfs -setfacl).");
    }
    // The client does not have the class.
    if (e instanceof RemoteException remote && remote.getClassName().endsWith(DIRECTORY_ITEMS)) {
      return refusal(
          Reason.LIMIT,
          "Raise dfs.namenode.fs-limits.max-directory-items on the name nodes and restart them, or"
              + " merge files of that directory. A path.format or fields with more Hive partitions"
              + " keep directories smaller.");
    }
    if (message.contains(ENCRYPTION_ZONE) && message.contains("can't be moved")) {
      return refusal(Reason.BOUNDARY, ONE_ZONE);
    }
    return Optional.empty();
  }

  private static Optional<Refusal> refusal(Reason reason, String cure) {
    return Optional.of(new Refusal(reason, cure));
  }

  /** Without the name node's stack trace, which stands in the message too. */
  private static String said(IOException e) {
    String first = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    return first.endsWith(".") ? first.substring(0, first.length() - 1) : first;
  }
}
