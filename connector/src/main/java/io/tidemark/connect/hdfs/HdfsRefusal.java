package io.tidemark.connect.hdfs;

import io.tidemark.store.StoreRefusedException;
import io.tidemark.store.StoreRefusedException.Reason;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hdfs.protocol.QuotaExceededException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;

/**
 * Detects requests that a name node rejects because of a limit or a permission until an operator
 * changes this limit or permission. Adds the cure. The name node's message names the directory and
 * the limit or the user.
 */
final class HdfsRefusal {
  private static final String DIRECTORY_ITEMS = "MaxDirectoryItemsExceededException";
  private static final String ENCRYPTION_ZONE = "encryption zone";

  static final String ONE_ZONE =
      "A table and its .staging directory must be in one encryption zone: create the zone above the"
          + " table's root, or remove the zone's directory from inside the table.";

  private HdfsRefusal() {}

  /** Empty if the exception is not a refusal. */
  static Optional<StoreRefusedException> in(IOException answer, String location) {
    IOException e =
        answer instanceof RemoteException remote ? remote.unwrapRemoteException() : answer;
    return reason(e)
        .map(
            reason ->
                new StoreRefusedException(reason, location + ": " + said(e), cure(reason), answer));
  }

  private static Optional<Reason> reason(IOException e) {
    if (e instanceof QuotaExceededException) {
      return Optional.of(Reason.QUOTA);
    }
    if (e instanceof AccessControlException) {
      return Optional.of(Reason.ACCESS);
    }
    // The client does not have this class.
    if (e instanceof RemoteException remote && remote.getClassName().endsWith(DIRECTORY_ITEMS)) {
      return Optional.of(Reason.LIMIT);
    }
    String message = String.valueOf(e.getMessage());
    return message.contains(ENCRYPTION_ZONE) && message.contains("can't be moved")
        ? Optional.of(Reason.BOUNDARY)
        : Optional.empty();
  }

  private static String cure(Reason reason) {
    return switch (reason) {
      case QUOTA ->
          "Raise the quota of that directory (hdfs dfsadmin -setQuota or -setSpaceQuota), or remove files from it.";
      case ACCESS ->
          "Grant that user access: make it the directory's owner (hdfs dfs -chown), or add it to the ACL (hdfs dfs -setfacl).";
      case LIMIT ->
          "Raise dfs.namenode.fs-limits.max-directory-items on the name nodes and restart them, or merge files of that directory. A path.format or partition fields with more Hive partitions keep directories smaller.";
      case BOUNDARY -> ONE_ZONE;
    };
  }

  /** Returns the message without the name node's stack trace. */
  private static String said(IOException e) {
    String first = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    return first.endsWith(".") ? first.substring(0, first.length() - 1) : first;
  }
}
