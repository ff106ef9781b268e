package io.tidemark.connect.health;

import io.tidemark.registry.RegistryException;
import io.tidemark.store.StoreRefusedException;
import io.tidemark.store.commit.KafkaRefusedException;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Cause and cure of a service's failure, from one table.
 *
 * <p>A row has the service, the reason why an operator must act ({@code -} if the failure is
 * transient), the signs of the failure, and its cause and cure. A sign with a space is a part of a
 * message. Other signs are names of exception classes without their packages: of the failure, its
 * causes and their superclasses, and of classes that a message names. A name node's exceptions
 * arrive only as names, in a RemoteException, and those of a Metastore's HDFS in a MetaException.
 * For a registry, the signs contain the HTTP status. The first row with any of the signs applies.
 *
 * @param refusal reason of a permanent failure; empty if the failure is transient
 * @param cure the cause, unless the service's message has it, and what to do, in whole sentences
 */
public record KnownFailure(Optional<Refusal> refusal, String cure) {
  private static final String KEY = "{key}";

  static final List<Row> TABLE =
      """
      STORE | LOGIN | SIMPLE authentication is not enabled; Client cannot authenticate via; InvalidToken; SaslException; GSSException | HDFS requires a login by Kerberos or a token, which Tidemark does not support yet. Use an HDFS with simple authentication.
      STORE | ACCESS | AuthorizationException | An ACL of HDFS or of its key server excludes this user from the whole service. Add the user to that ACL: in hadoop-policy.xml, in hadoop.proxyuser.*, or in kms-acls.xml.
      STORE | OTHER | SnapshotAccessControlException | The path is in a snapshot, which is read-only. Set topics.dir and logs.dir to directories outside of .snapshot.
      STORE | OTHER | ParentNotDirectoryException; PathIsNotDirectoryException; is not a directory) | A file has the name of a directory that is needed. Move the file away, or set another topics.dir or logs.dir.
      STORE | ACCESS | AccessControlException | Grant that user access: make it the directory's owner (hdfs dfs -chown), or add it to the ACL (hdfs dfs -setfacl).
      STORE | QUOTA | NSQuotaExceededException | The directory has as many files and directories as its name quota allows. Raise the quota of that directory by hdfs dfsadmin -setQuota, or remove files from it.
      STORE | QUOTA | QuotaByStorageTypeExceededException | The quota for this type of disk is used up. Each open file reserves a whole block times the replication. Raise the quota of that directory by hdfs dfsadmin -setSpaceQuota with -storageType, or set another storage policy for it.
      STORE | QUOTA | DSQuotaExceededException | The space quota is used up, or less than a block remains: each open file reserves a whole block times the replication until it is closed. Raise the quota of that directory by hdfs dfsadmin -setSpaceQuota, remove files from it, or lower storage.open.files or dfs.blocksize.
      STORE | QUOTA | QuotaExceededException | The message does not say which quota is used up: see hdfs dfs -count -q. Raise that quota of the directory, or remove files from it.
      STORE | OTHER | MaxDirectoryItemsExceededException | Raise dfs.namenode.fs-limits.max-directory-items on the name nodes and restart them, or merge files of that directory. A path.format or partition fields with more Hive partitions keep directories smaller.
      STORE | OTHER | PathComponentTooLongException; Pathname too long | A value of a partition field, a topic or a table makes a name that is longer than HDFS allows. Use shorter ones, or raise dfs.namenode.fs-limits.max-component-length on the name nodes and restart them.
      STORE | OTHER | Specified block size is less than; Requested replication factor of | The name node does not allow this block size or replication. Correct dfs.blocksize or dfs.replication in the hdfs-site.xml of hadoop.conf.dir.
      STORE | OTHER | into an encryption zone; from an encryption zone; can't be moved from encryption zone; HDFS cannot rename a file from | A table and its .staging directory must be in one encryption zone: create the zone above the table's root, or remove the zone's directory from inside the table.
      STORE | - | It was turned on manually | An administrator has turned on safe mode, in which HDFS cannot be changed. Wait for the end of the maintenance, or end safe mode by hdfs dfsadmin -safemode leave.
      STORE | - | Resources are low on NN | The name node's own disk is almost full, so HDFS cannot be changed. Free space in dfs.namenode.name.dir, then end safe mode by hdfs dfsadmin -safemode leave.
      STORE | - | SafeModeException; in safe mode | HDFS cannot be changed until data nodes have reported enough blocks: the name node has started, or data nodes are missing. Wait; if it lasts, see hdfs dfsadmin -report and start the missing data nodes.
      STORE | - | StandbyException; ObserverRetryOnActiveException | None of the name nodes that were tried is active. See hdfs haadmin -getAllServiceState. With two name nodes, store.url must have the name service, and hadoop.conf.dir its hdfs-site.xml.
      STORE | - | could only be written to; could only be replicated to | No data node accepts the block: too few run, their disks are full, or the worker cannot reach their addresses. See hdfs dfsadmin -report, and test their data port from the worker.
      STORE | - | No space left on device; DiskOutOfSpaceException | The disk of a data node or of the worker is full, as the message says. Free space there.
      STORE | - | are bad. Aborting; Could not get block locations; Failed to replace a bad datanode; Unable to create new block; Unable to close file because; NotReplicatedYetException | Data nodes failed while the file was written. The file is written again. If it lasts, see hdfs dfsadmin -report and the logs of the data nodes that the message names.
      STORE | - | BlockMissingException; ChecksumException; Could not obtain block; ReplicaNotFoundException | No data node returns an undamaged copy of a block. Start the missing data nodes; hdfs fsck with -files -blocks -locations shows where the copies are. If none is left, restore the file.
      STORE | - | LeaseExpiredException; does not have any open files | The file was removed before its end was written, or this worker was suspended: another task may own the log now. The task checks the log and writes the file again.
      STORE | - | RecoveryInProgressException; AlreadyBeingCreatedException | The name node still closes the file for an earlier writer. Wait: this takes seconds, or minutes if a data node is missing.
      STORE | - | FileAlreadyExistsException | Another task or program has created this file. If it lasts, find that program, and move the file away.
      STORE | - | FileNotFoundException; NoSuchFileException | Another task or program has removed this file or its directory. If it lasts, restore it from a copy.
      STORE | - | RetriableException; Server too busy; server too busy | The name node is starting or overloaded, and asks for a later attempt. If it lasts, see its log and its load.
      STORE | ADDRESS | RPC response exceeds maximum; RPC response has invalid length; RPC response has a length; VersionMismatch | What answers is not the RPC port of a name node, or has another version of its protocol. Correct the port in {key}; the web page has another one.
      METASTORE | ACCESS | Permission denied; AccessControlException | Give the user whom the Metastore's message names access to that directory or table.
      METASTORE | - | SafeModeException; in safe mode | The safe mode of HDFS prevents that the Metastore creates directories. Wait until hdfs dfsadmin -safemode get reports that it is off.
      METASTORE | QUOTA | NSQuotaExceededException; DSQuotaExceededException; QuotaExceededException | A quota of HDFS prevents that the Metastore creates a directory. Raise the quota that its message names (hdfs dfsadmin -setQuota or -setSpaceQuota).
      METASTORE | OTHER | Invalid method name | The server lacks this call: the Metastore is older than 3.1, or another Thrift service answers. Upgrade it, or correct {key}.
      METASTORE | - | TApplicationException | The Metastore failed while it processed the call. Its message does not contain the cause: see the Metastore's log.
      METASTORE | OTHER | InvalidOperationException | The Metastore does not allow this change of the table, or the table was dropped meanwhile. Undo what others changed in its columns, or set metastore.disallow.incompatible.col.type.changes=false in the Metastore.
      METASTORE | OTHER | InvalidObjectException; InvalidInputException | The Metastore rejects a name, a type or a value, which its message names. Set another hive.table.name or hive.database, or correct the field.
      METASTORE | - | AlreadyExistsException | Another program created the same object at the same time. The next attempt uses it. If it lasts, compare the object with the one in the message.
      METASTORE | - | NoSuchObjectException; UnknownDBException; UnknownTableException; UnknownPartitionException | Another program dropped the database, the table or the Hive partition meanwhile. Create the database, if it is missing; the connector creates tables and Hive partitions with its next attempt.
      METASTORE | - | CommunicationsException; SQLException; SQLTransientConnectionException; PSQLException; JDODataStoreException; JDOFatalDataStoreException | The Metastore's database is unavailable or rejected a statement. Check that database, and see the Metastore's log.
      METASTORE | - | Got exception: | HDFS failed for the Metastore, as its message says. Check HDFS, and its address in the Metastore's configuration and in the location of the table.
      METASTORE | - | MetaException | The Metastore answers, but failed itself. The connector does not know the cause: see the first lines of the message, and the Metastore's log.
      METASTORE | - | TProtocolException; Frame size; MaxMessageSize reached | What answers does not use Thrift's binary protocol without frames. Correct the port in {key}; a Metastore with HTTP, compact or framed transport is not supported.
      METASTORE | - | Socket is closed by peer; Connection reset; Broken pipe | The Metastore closed the connection: it restarts, or it requires SASL or TLS, which Tidemark does not support. If it lasts, see its log.
      METASTORE | - | SocketTimeoutException | The Metastore did not respond in time: it is overloaded, its database is slow or locked, or the network drops packets. See its log.
      SCHEMA_REGISTRY | OTHER | SchemaNotFoundException; RegistryRefusedException; SchemaChangedException | The registry works and rejects the request. Do what its message says.
      SCHEMA_REGISTRY | LOGIN | SSLException; be reached over TLS | Correct the certificate or the setting that the message names. docs/REGISTRY.md has the schema.registry.ssl.* settings.
      SCHEMA_REGISTRY | LOGIN | HTTP-401 | The registry does not accept the connector's credentials. Correct them (docs/REGISTRY.md).
      SCHEMA_REGISTRY | ACCESS | HTTP-403 | The registry knows the user of the credentials, who lacks the right. Allow this user to read schemas.
      SCHEMA_REGISTRY | - | HTTP-429 | The registry limits the number of requests. Raise this limit for the connector's user, or let fewer clients use the registry.
      SCHEMA_REGISTRY | - | HTTP-502; HTTP-503; HTTP-504 | The registry restarts or is overloaded, or a proxy cannot reach it. See the logs of both.
      SCHEMA_REGISTRY | - | HTTP-408; HTTP-5xx | The registry answers, but failed itself: it is overloaded, or cannot use its own Kafka topic or database. See its log.
      SCHEMA_REGISTRY | ADDRESS | HTTP-3xx | The address redirects to another one, which is not followed. Correct schema.registry.url: set it to the last address.
      SCHEMA_REGISTRY | - | TimeoutException | See the registry's log and its load, and check that {key} is correct.
      SCHEMA_REGISTRY | ADDRESS | is larger than schema.registry.max.answer.bytes | Raise that setting if the schema is so large. Otherwise correct schema.registry.url: another server answers at this address.
      SCHEMA_REGISTRY | ADDRESS | HTTP-2xx; HTTP-4xx | Correct schema.registry.url: another server answers at this address.
      KAFKA | ACCESS | ClusterAuthorizationException | The principal of the kafka.* settings lacks a right on the cluster, such as IDEMPOTENT_WRITE for brokers before 2.8. Grant it. docs/OPERATIONS.md lists the rights.
      KAFKA | ACCESS | GroupAuthorizationException | The principal of the kafka.* settings may not DESCRIBE the consumer group. Grant it. docs/OPERATIONS.md lists the rights.
      KAFKA | ACCESS | TopicAuthorizationException | The principal of the kafka.* settings lacks a right on the topic. Grant it. docs/OPERATIONS.md lists the rights.
      KAFKA | ACCESS | AuthorizationException | The principal of the kafka.* settings lacks a right. Grant it. docs/OPERATIONS.md lists the rights.
      KAFKA | LOGIN | SslAuthenticationException; SSLException; Failed to load SSL | The TLS connection failed: a certificate is not trusted, has expired or is for another host, or the broker requires a client certificate. Correct the kafka.ssl.* settings or the certificate.
      KAFKA | LOGIN | UnsupportedSaslMechanismException; IllegalSaslStateException | The broker does not offer this login. Correct kafka.sasl.mechanism and kafka.security.protocol.
      KAFKA | LOGIN | SaslAuthenticationException; LoginException | The broker does not accept the user, password or token. Correct the kafka.sasl.* settings.
      KAFKA | LOGIN | AuthenticationException | The broker does not accept the login. Correct the kafka.security.*, kafka.sasl.* and kafka.ssl.* settings.
      KAFKA | ADDRESS | No resolvable bootstrap urls | Correct the host in {key}, or add it to the worker's DNS: the worker cannot resolve it.
      KAFKA | OTHER | ConfigException | A setting is invalid. Correct the kafka.* setting that the message names.
      KAFKA | OTHER | UnsupportedVersionException; UnsupportedForMessageFormatException | The brokers are too old for this request. Upgrade them: Tidemark needs topic ids, which exist since Kafka 2.8.
      KAFKA | OTHER | InvalidTopicException | Kafka does not allow this name of a topic. Correct the name in the configuration.
      KAFKA | OTHER | RecordTooLargeException; RecordBatchTooLargeException | The record is larger than Kafka allows. Raise max.message.bytes of the topic and kafka.max.request.size.
      KAFKA | - | UnknownTopicOrPartitionException; UnknownTopicIdException; InconsistentTopicIdException | The topic does not exist, was deleted and recreated, or is so new that some brokers do not know it. Create it, or take it out of the configuration.
      KAFKA | - | not present in metadata after | The topic does not exist, or no broker answered. Create the topic, or check that the brokers run and that {key} is correct.
      KAFKA | - | OffsetOutOfRangeException | Kafka no longer has the record at this offset: retention deleted it, or the topic was recreated. The next attempt asks for the present offsets.
      KAFKA | - | FencedLeaderEpochException; UnknownLeaderEpochException; NotLeaderOrFollowerException; LeaderNotAvailableException; KafkaStorageException | The topic-partition has no leader, or another one since a moment ago. Wait; if it lasts, see kafka-topics.sh --describe --unavailable-partitions and start the missing broker.
      KAFKA | - | CoordinatorNotAvailableException; CoordinatorLoadInProgressException; NotCoordinatorException | The broker that has the offsets of the consumer group is starting or has changed. Wait; if it lasts, check that each partition of __consumer_offsets has a leader.
      KAFKA | - | NotEnoughReplicasException; NotEnoughReplicasAfterAppendException | Fewer replicas are in sync than min.insync.replicas of the topic demands. Start the missing brokers.
      KAFKA | - | ProducerFencedException; InvalidProducerEpochException; OutOfOrderSequenceException; UnknownProducerIdException; FencedInstanceIdException | Another client with the same id has fenced this one, or brokers lost its state. The connector uses a new client. Keep transactional.id and group.instance.id out of the kafka.* settings.
      KAFKA | - | CorruptRecordException | The broker's copy of a record is damaged. See the broker's log, and let another replica lead the topic-partition.
      KAFKA | - | UnknownServerException | The broker failed, and its answer does not contain the cause. See the broker's log.
      KAFKA | - | SerializationException | The event could not be serialized, as the message says. Check that the schema registry accepts the schema of events.
      KAFKA | - | DisconnectException; NetworkException | The broker closed the connection: it restarts, or this port requires TLS or SASL. If it lasts, compare kafka.security.protocol with the broker's listeners.
      KAFKA | - | TimeoutException; did not find out within | No broker answered in time, or a topic-partition has no leader. Check that the brokers run, that {key} is correct, and that the worker reaches the addresses in advertised.listeners.
      * | - | collided with another task's entries; is outdated, because the topic was recreated; have landed, or the topic was recreated; was committed under this claim yet; wrote the next version of the schema; to another log directory at the same time; was removed while it; was deleted while it; because its temporary file was removed; is stopping | The service works. The task waits for another task, or for brokers to agree, as the message says.
      * | ADDRESS | UnknownHostException; UnresolvedAddressException | Correct the host in {key}, or add it to the worker's DNS: the worker cannot resolve it.
      * | - | ConnectTimeoutException; HttpConnectTimeoutException; NoRouteToHostException; connect timed out | The host does not respond: it is down, or a firewall drops the packets. Check the host and the network, and that {key} is correct.
      * | - | ConnectException; Connection refused | Check that the service runs and that {key} is correct.
      * | - | SocketTimeoutException; TimeoutException; did not respond within; timed out waiting | The service did not respond in time: it is overloaded or hangs, or the network drops packets. See its log and its load, and check that {key} is correct.
      * | - | InterruptedIOException; ClosedByInterruptException; InterruptException; Filesystem closed | The call was aborted because the task is stopped. If the task continues to run, restart it.
      * | LOGIN | SSLException | The TLS connection failed: one side does not trust the other, or does not use TLS. Correct the certificates and {key}.
      * | - | EOFException; ClosedChannelException; Connection reset; Broken pipe | The connection was cut: the service restarts, or a system in between closes connections. If it lasts, check that {key} names this kind of service, and see its log.
      """
          .lines()
          .map(Row::of)
          .toList();

  private static final KnownFailure UNKNOWN =
      new KnownFailure(
          Optional.empty(),
          "The cause is not known. Check that the service runs and that {key} is correct, and see its log.");

  /** Example: {@code org.apache.hadoop.hdfs.server.namenode.SafeModeException}. */
  private static final Pattern CLASS = Pattern.compile("[.$](\\w*(?:Exception|InvalidToken))\\b");

  private static final String STACK_TRACE = "\n\tat ";
  private static final int LEAST_ERROR_CODE = 1_000;

  record Row(String service, List<String> signs, KnownFailure failure) {

    static Row of(String line) {
      String[] cells = line.split(" \\| ", -1);
      return new Row(
          cells[0],
          List.of(cells[2].split("; ", -1)),
          new KnownFailure(
              cells[1].equals("-") ? Optional.empty() : Optional.of(Refusal.valueOf(cells[1])),
              cells[3]));
    }

    boolean isOf(Service named) {
      return service.equals("*") || service.equals(named.name());
    }

    boolean appliesTo(Set<String> classes, String messages) {
      return signs.stream()
          .anyMatch(sign -> sign.contains(" ") ? messages.contains(sign) : classes.contains(sign));
    }
  }

  /** Looks a failure up. {@code called} is the service whose call has failed. */
  public static KnownFailure of(Service called, Throwable failure) {
    Service service = called;
    Set<String> classes = new HashSet<>();
    StringBuilder messages = new StringBuilder();
    for (Throwable each : chain(failure)) {
      if (each instanceof StoreRefusedException refused) {
        return new KnownFailure(Optional.of(refusal(refused.reason())), refused.cure());
      }
      if (each instanceof KafkaRefusedException refused) {
        return new KnownFailure(Optional.of(Refusal.ACCESS), refused.cure());
      }
      if (each instanceof RegistryException answer) {
        service = Service.SCHEMA_REGISTRY; // also if an event's serializer has called it
        int code = answer.code(); // of HTTP, or of a registry, such as 40301 for 403
        int status = code < LEAST_ERROR_CODE ? code : code / 100;
        classes.addAll(Set.of("HTTP-" + status, "HTTP-" + status / 100 + "xx"));
      }
      for (@Nullable Class<?> type = each.getClass(); type != null; type = type.getSuperclass()) {
        classes.add(type.getSimpleName());
      }
      String text = each.toString();
      int trace = text.indexOf(STACK_TRACE);
      messages.append(trace < 0 ? text : text.substring(0, trace)).append('\n');
    }
    CLASS.matcher(messages).results().forEach(named -> classes.add(named.group(1)));
    Service of = service;
    KnownFailure known =
        TABLE.stream()
            .filter(row -> row.isOf(of) && row.appliesTo(classes, messages.toString()))
            .findFirst()
            .map(Row::failure)
            .orElse(UNKNOWN);
    return new KnownFailure(known.refusal, known.cure.replace(KEY, of.addressKey()));
  }

  private static Set<Throwable> chain(Throwable failure) {
    Set<Throwable> chain = new LinkedHashSet<>();
    for (@Nullable Throwable each = failure; each != null && chain.add(each); ) {
      each = each.getCause();
    }
    return chain;
  }

  private static Refusal refusal(StoreRefusedException.Reason reason) {
    return switch (reason) {
      case ACCESS -> Refusal.ACCESS;
      case QUOTA -> Refusal.QUOTA;
      case LIMIT, BOUNDARY -> Refusal.OTHER;
    };
  }

  /** Returns a message: the problem, then cause and cure. */
  public String after(String problem) {
    return (problem.endsWith(".") ? problem : problem + ".") + " " + cure;
  }
}
