package io.tidemark.connect.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.tidemark.registry.RegistryRefusedException;
import io.tidemark.registry.RegistryUnavailableException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaNotFoundException;
import io.tidemark.store.StoreRefusedException;
import io.tidemark.store.commit.KafkaRefusedException;
import io.tidemark.store.commit.KafkaUnavailableException;
import io.tidemark.store.table.CatalogUnavailableException;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import javax.security.auth.login.LoginException;
import javax.security.sasl.SaslException;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.PathIsNotDirectoryException;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.hdfs.protocol.AlreadyBeingCreatedException;
import org.apache.hadoop.hdfs.protocol.DSQuotaExceededException;
import org.apache.hadoop.hdfs.protocol.NSQuotaExceededException;
import org.apache.hadoop.hdfs.protocol.QuotaByStorageTypeExceededException;
import org.apache.hadoop.hdfs.protocol.SnapshotAccessControlException;
import org.apache.hadoop.hdfs.server.datanode.ReplicaNotFoundException;
import org.apache.hadoop.hive.metastore.api.AlreadyExistsException;
import org.apache.hadoop.hive.metastore.api.InvalidInputException;
import org.apache.hadoop.hive.metastore.api.InvalidObjectException;
import org.apache.hadoop.hive.metastore.api.InvalidOperationException;
import org.apache.hadoop.hive.metastore.api.MetaException;
import org.apache.hadoop.hive.metastore.api.NoSuchObjectException;
import org.apache.hadoop.hive.metastore.api.UnknownDBException;
import org.apache.hadoop.hive.metastore.api.UnknownTableException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.apache.hadoop.security.token.SecretManager;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.CoordinatorLoadInProgressException;
import org.apache.kafka.common.errors.CoordinatorNotAvailableException;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.errors.DelegationTokenAuthorizationException;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.errors.FencedLeaderEpochException;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.IllegalSaslStateException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.apache.kafka.common.errors.LeaderNotAvailableException;
import org.apache.kafka.common.errors.NetworkException;
import org.apache.kafka.common.errors.NotCoordinatorException;
import org.apache.kafka.common.errors.NotEnoughReplicasAfterAppendException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownServerException;
import org.apache.kafka.common.errors.UnknownTopicIdException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedSaslMechanismException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.protocol.TProtocolException;
import org.apache.thrift.transport.TTransportException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Cause and cure of every failure that a client of a service can throw. The exceptions are those of
 * the clients' libraries. A RemoteException has the class and message that a name node sends; its
 * stack trace follows the message.
 */
final class KnownFailureTest {
  private static final String FILE = "/topics/quotes/.staging/c/1.avro";
  private static final String NAME_NODE = "org.apache.hadoop.hdfs.server.namenode.";
  private static final String PROTOCOL = "org.apache.hadoop.hdfs.protocol.";
  private static final String RESERVES = "Each open file reserves a whole block";

  @ParameterizedTest
  @MethodSource({"ofHdfs", "ofTheMetastore", "ofKafka", "ofTheRegistry", "ofAnyService"})
  void failureHasItsCauseAndCure(
      Service service, Throwable failure, Optional<Refusal> refusal, List<String> says) {
    KnownFailure known = KnownFailure.of(service, failure);

    assertThat(known.refusal()).as(failure.toString()).isEqualTo(refusal);
    assertThat(known.cure()).as(failure.toString()).contains(says).endsWith(".");
    assertThat(
            KnownFailure.of(service, new ExecutionException(new IOException("not done", failure))))
        .as("the same failure as a cause")
        .isEqualTo(known);
  }

  static Stream<Arguments> ofHdfs() {
    return Stream.of(
        // Rights, logins, names.
        refused(
            Refusal.ACCESS,
            new AccessControlException(
                "Permission denied: user=connect, access=WRITE, inode=\"/topics\":hdfs:hdfs:drwxr-xr-x"),
            "hdfs dfs -chown",
            "hdfs dfs -setfacl"),
        refused(
            Refusal.ACCESS,
            remote(AccessControlException.class.getName(), "Permission denied: user=connect"),
            "hdfs dfs -chown"),
        // Name nodes before 3.3.2 send the exception of their authorizer.
        refused(
            Refusal.ACCESS,
            remote(
                "org.apache.ranger.authorization.hadoop.exceptions.RangerAccessControlException",
                "Permission denied: user=connect, access=WRITE, inode=\"/topics\""),
            "Ranger"),
        refused(
            Refusal.ACCESS,
            remote("com.example.PolicyException", "Permission denied: user=connect, access=READ"),
            "hdfs dfs -setfacl"),
        refused(
            Refusal.ACCESS,
            new AuthorizationException(
                "User connect (auth:SIMPLE) is not authorized for protocol interface "
                    + PROTOCOL
                    + "ClientProtocol"),
            "hadoop-policy.xml"),
        refused(
            Refusal.OTHER,
            new SnapshotAccessControlException(
                "Modification on a read-only snapshot is disallowed"),
            ".snapshot"),
        refused(
            Refusal.LOGIN,
            new AccessControlException(
                "SIMPLE authentication is not enabled.  Available:[TOKEN, KERBEROS]"),
            "hdfs.authentication.kerberos=true"),
        refused(
            Refusal.LOGIN,
            new AccessControlException("Client cannot authenticate via:[TOKEN, KERBEROS]"),
            "hdfs.authentication.kerberos=true"),
        refused(
            Refusal.LOGIN,
            new SecretManager.InvalidToken("token (HDFS_DELEGATION_TOKEN token 1) is expired"),
            "hdfs.authentication.kerberos=true"),
        refused(
            Refusal.ACCESS,
            remote(
                AuthorizationException.class.getName(),
                "User: connect@EXAMPLE.COM is not allowed to impersonate carol"),
            "hadoop.proxyuser"),
        refused(
            Refusal.LOGIN,
            new AccessControlException(
                "Server asks us to fall back to SIMPLE auth, but this client is configured to only allow secure connections."),
            "hdfs.authentication.kerberos=false"),
        refused(
            Refusal.LOGIN,
            new IllegalArgumentException(
                "Server has invalid Kerberos principal: nn/a@EXAMPLE.COM, expecting: nn/b@EXAMPLE.COM"),
            "hdfs.namenode.principal"),
        refused(
            Refusal.LOGIN,
            new IOException("Failed to specify server's Kerberos principal name"),
            "hdfs.namenode.principal"),
        refused(
            Refusal.LOGIN,
            new SaslException("No common protection layer between client and server"),
            "hadoop.rpc.protection"),
        refused(
            Refusal.OTHER,
            new ParentNotDirectoryException("/topics/quotes (is not a directory)"),
            "Move the file away"),
        refused(
            Refusal.OTHER, new PathIsNotDirectoryException("/topics/quotes"), "Move the file away"),
        refused(
            Refusal.OTHER,
            new AccessControlException("/topics/quotes (is not a directory)"),
            "Move the file away"),
        // Quotas.
        refused(Refusal.QUOTA, new NSQuotaExceededException(10, 11), "-setQuota,"),
        refused(
            Refusal.QUOTA,
            remote(
                NSQuotaExceededException.class.getName(),
                "The NameSpace quota (directories and files) of directory /topics is exceeded: quota=10 file count=11"),
            "-setQuota,",
            "name quota"),
        refused(
            Refusal.QUOTA,
            new DSQuotaExceededException(1, 134_217_728),
            "-setSpaceQuota,",
            "each open file reserves a whole block times the replication",
            "storage.open.files"),
        refused(
            Refusal.QUOTA,
            remote(
                DSQuotaExceededException.class.getName(),
                "The DiskSpace quota of /topics is exceeded: quota = 1 B = 1 B but diskspace consumed = 134217728 B = 128 MB"),
            "-setSpaceQuota,"),
        refused(
            Refusal.QUOTA,
            new QuotaByStorageTypeExceededException(1, 134_217_728, StorageType.SSD),
            "-setSpaceQuota with -storageType",
            RESERVES),
        refused(
            Refusal.QUOTA,
            remote(PROTOCOL + "QuotaExceededException", "The quota is exceeded"),
            "hdfs dfs -count -q"),
        // Limits.
        refused(
            Refusal.OTHER,
            remote(
                PROTOCOL + "FSLimitException$MaxDirectoryItemsExceededException",
                "The directory item limit of /topics is exceeded: limit=2 items=2"),
            "max-directory-items"),
        refused(
            Refusal.OTHER,
            remote(
                PROTOCOL + "FSLimitException$PathComponentTooLongException",
                "The maximum path component name limit of x in directory /topics is exceeded: limit=255 length=300"),
            "max-component-length"),
        refused(
            Refusal.OTHER,
            remoteIo("create: Pathname too long.  Limit 8000 characters, 1000 levels."),
            "Use shorter ones"),
        refused(
            Refusal.OTHER,
            remoteIo(
                "Specified block size is less than configured minimum value (dfs.namenode.fs-limits.min-block-size): 1024 < 1048576"),
            "dfs.blocksize"),
        refused(
            Refusal.OTHER,
            remoteIo("Requested replication factor of 600 exceeds maximum of 512 for " + FILE),
            "dfs.replication"),
        refused(
            Refusal.OTHER,
            remoteIo(FILE + " can't be moved into an encryption zone."),
            "in one encryption zone"),
        refused(
            Refusal.OTHER,
            remoteIo(FILE + " can't be moved from encryption zone /a to encryption zone /b."),
            "in one encryption zone"),
        refused(
            Refusal.OTHER,
            remoteIo(
                "Rename of /a to /b is not allowed, no eligible destination in the same namespace was found."),
            "Mount all of logs.dir from one namespace"),
        passing(
            new IOException("the key management server (KMS) failed: Connection refused"),
            "encryption zones"),
        // Safe mode.
        passing(
            safeMode(
                "It was turned on manually. Use \"hdfs dfsadmin -safemode leave\" to turn safe mode off."),
            "An administrator has turned on safe mode",
            "hdfs dfsadmin -safemode leave"),
        passing(
            safeMode(
                "Resources are low on NN. Please add or free up more resources then turn off safe mode manually."),
            "The name node's own disk is almost full"),
        passing(
            safeMode(
                "The reported blocks 0 needs additional 10 blocks to reach the threshold 0.9990 of total blocks 10."),
            "until data nodes have reported enough blocks",
            "hdfs dfsadmin -report"),
        passing(
            remote(
                RetriableException.class.getName(),
                NAME_NODE + "SafeModeException: Cannot create " + FILE),
            "until data nodes have reported enough blocks"),
        passing(new IOException("Name node is in safe mode."), "data nodes have reported"),
        // Name nodes and data nodes.
        passing(
            remote(
                StandbyException.class.getName(),
                "Operation category WRITE is not supported in state standby. Visit https://s.apache.org/sbnn-error"),
            "haadmin",
            "hadoop.conf.dir"),
        passing(
            remoteIo(
                "File "
                    + FILE
                    + " could only be written to 0 of the 1 minReplication nodes. There are 0 datanode(s) running and 0 node(s) are excluded in this operation."),
            "No data node accepts the block",
            "hdfs dfsadmin -report"),
        passing(new IOException("No space left on device"), "Free space"),
        passing(
            remote("org.apache.hadoop.util.DiskChecker$DiskOutOfSpaceException", "Out of space"),
            "Free space"),
        passing(
            new IOException(
                "All datanodes [DatanodeInfoWithStorage[1.2.3.4:9866]] are bad. Aborting..."),
            "Data nodes failed while the file was written"),
        passing(
            new IOException(
                "Could not get block locations. Source file \"" + FILE + "\" - Aborting..."),
            "Data nodes failed while the file was written"),
        passing(
            remote(NAME_NODE + "NotReplicatedYetException", "Not replicated yet: " + FILE),
            "Data nodes failed while the file was written"),
        passing(
            new BlockMissingException(FILE, "Could not obtain block: BP-1:blk_1", 0), "hdfs fsck"),
        passing(new ChecksumException("Checksum error: " + FILE, 0), "hdfs fsck"),
        passing(new ReplicaNotFoundException("Replica not found for blk_1"), "hdfs fsck"),
        passing(
            remote(
                NAME_NODE + "LeaseExpiredException",
                "No lease on " + FILE + " (inode 16400): File is not open for writing."),
            "another task may own the log now"),
        passing(
            remote(
                FileNotFoundException.class.getName(),
                "File does not exist: "
                    + FILE
                    + " (inode 16400) Holder DFSClient_1 does not have any open files."),
            "another task may own the log now"),
        passing(
            remote(
                PROTOCOL + "RecoveryInProgressException",
                "Failed to CREATE_FILE " + FILE + " because lease recovery is in progress"),
            "for an earlier writer"),
        passing(new AlreadyBeingCreatedException(FILE), "for an earlier writer"),
        passing(new FileAlreadyExistsException(FILE), "has created this file"),
        passing(new FileNotFoundException("File does not exist: " + FILE), "has removed this file"),
        passing(new NoSuchFileException(FILE), "has removed this file"),
        passing(new RetriableException("Server too busy"), "asks for a later attempt"),
        refused(
            Refusal.ADDRESS,
            new IOException(
                "Failed on local exception: org.apache.hadoop.ipc.RpcException: RPC response exceeds maximum data length; Host Details : local host is: \"worker/1.2.3.4\""),
            "Correct the port in store.url"),
        // The network, as Hadoop's client words it.
        passing(
            NetUtils.wrapException("nn", 8020, "worker", 0, new ConnectException("refused")),
            "Check that the service runs and that store.url is correct."),
        passing(
            NetUtils.wrapException(
                "nn", 8020, "worker", 0, new SocketTimeoutException("60000 millis timeout")),
            "did not respond in time"),
        passing(
            NetUtils.wrapException("nn", 8020, "worker", 0, new NoRouteToHostException("no route")),
            "a firewall drops the packets"),
        passing(
            NetUtils.wrapException("nn", 8020, "worker", 0, new EOFException("End of File")),
            "The connection was cut"),
        refused(
            Refusal.ADDRESS,
            NetUtils.wrapException("nn", 8020, "worker", 0, new UnknownHostException("nn")),
            "Correct the host in store.url"));
  }

  static Stream<Arguments> ofTheMetastore() {
    return Stream.of(
            refused(
                Refusal.ACCESS,
                new MetaException(
                    "Got exception: "
                        + AccessControlException.class.getName()
                        + " Permission denied: user=hive, access=WRITE"),
                "Give the user whom the Metastore's message names"),
            refused(
                Refusal.ACCESS,
                new MetaException(
                    "Got exception: "
                        + AuthorizationException.class.getName()
                        + " User: hive/nn@EXAMPLE.COM is not allowed to impersonate connect"),
                "hadoop.proxyuser"),
            // Ranger's authorizer, Hive's own ones, and Hive's check of a location.
            refused(
                Refusal.ACCESS,
                new MetaException(
                    "Permission denied: user [connect] does not have [CREATE] privilege on [landed/quotes]"),
                "Ranger"),
            refused(
                Refusal.ACCESS,
                new MetaException("Operation type CREATETABLE not allowed for user:connect"),
                "Ranger"),
            refused(
                Refusal.ACCESS,
                new MetaException(
                    "org.apache.hadoop.hive.ql.security.authorization.plugin.HiveAccessControlException: no rights"),
                "Ranger"),
            refused(
                Refusal.ACCESS,
                new InvalidOperationException(
                    "No privilege 'Create' found for outputs { database:landed}"),
                "Give the user whom the Metastore's message names"),
            refused(
                Refusal.ACCESS,
                new MetaException(
                    "Failed to create external path hdfs://nn:8020/warehouse/external/landed.db for database landed. This may result in access not being allowed if the StorageBasedAuthorizationProvider is enabled: null"),
                "hides the cause",
                "hive.metastore.warehouse.external.dir",
                "CREATE DATABASE"),
            passing(
                new MetaException("Got exception: " + safeMode("It was turned on manually.")),
                "The safe mode of HDFS prevents"),
            refused(
                Refusal.QUOTA,
                new MetaException(
                    "Got exception: "
                        + NSQuotaExceededException.class.getName()
                        + " The NameSpace quota of directory /hive is exceeded"),
                "-setQuota"),
            passing(
                new MetaException(
                    "Got exception: java.net.ConnectException Call From metastore to nn:8020 failed"),
                "HDFS failed for the Metastore"),
            passing(
                new MetaException("Got exception: java.net.UnknownHostException nameservice1"),
                "its address in the Metastore's configuration"),
            passing(
                new MetaException(
                    "javax.jdo.JDODataStoreException: Put request failed\nNestedThrowables:\n"
                        + "com.mysql.cj.jdbc.exceptions.CommunicationsException: Communications link failure"),
                "Metastore's database"),
            passing(new MetaException("Exception thrown by a listener"), "does not know the cause"),
            refused(
                Refusal.OTHER,
                new TApplicationException(
                    TApplicationException.UNKNOWN_METHOD, "Invalid method name: 'get_table_req'"),
                "older than 3.1"),
            passing(
                new TApplicationException(
                    TApplicationException.INTERNAL_ERROR,
                    "Internal error processing get_table_req"),
                "see the Metastore's log"),
            refused(
                Refusal.OTHER,
                new InvalidOperationException(
                    "The following columns have types incompatible with the existing columns in their respective positions : price"),
                "disallow.incompatible.col.type.changes"),
            refused(
                Refusal.OTHER,
                new InvalidObjectException("quo tes is not a valid object name"),
                "hive.table.name"),
            refused(Refusal.OTHER, new InvalidInputException("no"), "hive.table.name"),
            passing(
                new AlreadyExistsException("Partition already exists"), "created the same object"),
            passing(new NoSuchObjectException("hive.default.quotes"), "dropped the database"),
            passing(new UnknownDBException("shop"), "Create the database"),
            passing(new UnknownTableException("shop.quotes"), "dropped the database"),
            passing(
                new TProtocolException(
                    TProtocolException.BAD_VERSION, "Bad version in readMessageBegin"),
                "Correct the port in hive.metastore.uris"),
            passing(new TTransportException("HTTP status 404"), "Correct the port and the path"),
            passing(
                new TTransportException(new SSLHandshakeException("PKIX path building failed")),
                "hive.metastore.truststore.*"),
            passing(
                new TTransportException(
                    TTransportException.CORRUPTED_DATA, "Frame size (1213486160) larger than max"),
                "Correct the port in hive.metastore.uris"),
            passing(
                new TTransportException(
                    TTransportException.END_OF_FILE, "Socket is closed by peer."),
                "requires Kerberos, TLS"),
            passing(
                new TTransportException(new SocketException("Connection reset")),
                "requires Kerberos, TLS"),
            passing(
                new TTransportException(
                    TTransportException.TIMED_OUT, new SocketTimeoutException("Read timed out")),
                "its database is slow or locked"),
            passing(
                new CatalogUnavailableException(
                    "not done",
                    new TTransportException(new ConnectException("Connection refused"))),
                "Check that the service runs and that hive.metastore.uris is correct."),
            refused(
                Refusal.ADDRESS,
                new TTransportException(new UnknownHostException("hive")),
                "Correct the host in hive.metastore.uris"))
        .map(each -> of(Service.METASTORE, each));
  }

  static Stream<Arguments> ofKafka() {
    return Stream.of(
            refused(
                Refusal.ACCESS,
                new TopicAuthorizationException(Set.of("quotes")),
                "a right on the topic",
                "docs/OPERATIONS.md lists the rights"),
            refused(
                Refusal.ACCESS,
                GroupAuthorizationException.forGroupId("connect-quotes"),
                "DESCRIBE the consumer group"),
            refused(
                Refusal.ADDRESS,
                new IOException("what answers at kafka:8081 is not a broker without TLS"),
                "Correct the port in kafka.bootstrap.servers"),
            refused(
                Refusal.ACCESS,
                new ClusterAuthorizationException("Cluster authorization failed."),
                "IDEMPOTENT_WRITE"),
            refused(
                Refusal.ACCESS, new DelegationTokenAuthorizationException("no"), "lacks a right."),
            refused(
                Refusal.LOGIN,
                new SslAuthenticationException(
                    "SSL handshake failed", new SSLHandshakeException("PKIX path building failed")),
                "kafka.ssl.*"),
            refused(
                Refusal.LOGIN,
                new KafkaException("Failed to load SSL keystore /k.jks of type JKS"),
                "kafka.ssl.*"),
            refused(
                Refusal.LOGIN,
                new SaslAuthenticationException(
                    "Authentication failed during authentication due to invalid credentials"),
                "user, password or token",
                "kafka.sasl.*"),
            refused(
                Refusal.LOGIN,
                new KafkaException(new LoginException("No LoginModule found")),
                "kafka.sasl.*"),
            refused(
                Refusal.LOGIN,
                new UnsupportedSaslMechanismException("Client SASL mechanism 'PLAIN' not enabled"),
                "kafka.sasl.mechanism"),
            refused(
                Refusal.LOGIN,
                new IllegalSaslStateException("Unexpected handshake request"),
                "kafka.security.protocol"),
            refused(
                Refusal.LOGIN,
                new org.apache.kafka.common.errors.AuthenticationException("no"),
                "does not accept the login"),
            refused(
                Refusal.ADDRESS,
                new KafkaException(
                    "Failed to create new KafkaAdminClient",
                    new ConfigException("No resolvable bootstrap urls given in bootstrap.servers")),
                "Correct the host in kafka.bootstrap.servers"),
            refused(
                Refusal.OTHER,
                new KafkaException(
                    new ConfigException("linger.ms", -1, "Value must be at least 0")),
                "setting that the message names"),
            refused(
                Refusal.OTHER,
                new UnsupportedVersionException("The broker does not support DESCRIBE_TOPICS"),
                "Kafka 2.8"),
            refused(
                Refusal.OTHER,
                new InvalidTopicException(Set.of("quo tes")),
                "this name of a topic"),
            refused(
                Refusal.OTHER,
                new RecordTooLargeException("The message is 2097239 bytes when serialized"),
                "max.message.bytes",
                "kafka.max.request.size"),
            refused(Refusal.OTHER, new RecordBatchTooLargeException("no"), "max.message.bytes"),
            passing(
                new UnknownTopicOrPartitionException(
                    "This server does not host this topic-partition."),
                "The topic does not exist"),
            passing(new UnknownTopicIdException("no"), "deleted and recreated"),
            passing(
                new org.apache.kafka.common.errors.TimeoutException(
                    "Topic events not present in metadata after 10000 ms."),
                "Create the topic"),
            passing(
                new OffsetOutOfRangeException(Map.of(new TopicPartition("quotes", 0), 7L)),
                "retention deleted it"),
            passing(new FencedLeaderEpochException("no"), "has no leader"),
            passing(new LeaderNotAvailableException("no"), "has no leader"),
            passing(new NotLeaderOrFollowerException("no"), "has no leader"),
            passing(new KafkaStorageException("no"), "has no leader"),
            passing(new CoordinatorNotAvailableException("no"), "__consumer_offsets"),
            passing(new CoordinatorLoadInProgressException("no"), "__consumer_offsets"),
            passing(new NotCoordinatorException("no"), "__consumer_offsets"),
            passing(new NotEnoughReplicasException("no"), "min.insync.replicas"),
            passing(new NotEnoughReplicasAfterAppendException("no"), "min.insync.replicas"),
            passing(new ProducerFencedException("no"), "has fenced this one", "transactional.id"),
            passing(new InvalidProducerEpochException("no"), "has fenced this one"),
            passing(new OutOfOrderSequenceException("no"), "brokers lost its state"),
            passing(new CorruptRecordException("no"), "is damaged"),
            passing(new UnknownServerException("no"), "does not contain the cause"),
            passing(new SerializationException("no"), "schema of events"),
            passing(
                new DisconnectException("Cancelled fetchMetadata request"),
                "kafka.security.protocol"),
            passing(new NetworkException("no"), "kafka.security.protocol"),
            passing(
                new org.apache.kafka.common.errors.TimeoutException(
                    "Timed out waiting for a node assignment. Call: describeCluster"),
                "No broker answered in time",
                "advertised.listeners"),
            passing(
                new KafkaUnavailableException("no end offset", new TimeoutException()),
                "kafka.bootstrap.servers is correct"))
        .map(each -> of(Service.KAFKA, each));
  }

  /** RegistryFailuresTest has the answers of a server. */
  static Stream<Arguments> ofTheRegistry() {
    return Stream.of(
            refused(
                Refusal.OTHER,
                SchemaNotFoundException.unknown(SchemaId.of(7), 40403, "http://registry"),
                "Do what its message says"),
            refused(
                Refusal.OTHER,
                new RegistryRefusedException(
                    "rejected", 42201, RegistryRefusedException.Reason.INVALID),
                "Do what its message says"),
            refused(Refusal.LOGIN, answer(401), "credentials"),
            refused(Refusal.LOGIN, answer(40101), "credentials"),
            refused(Refusal.ACCESS, answer(403), "lacks the right"),
            refused(Refusal.ACCESS, answer(40301), "lacks the right"),
            refused(Refusal.ADDRESS, answer(404), "Correct schema.registry.url"),
            refused(Refusal.ADDRESS, answer(409), "Correct schema.registry.url"),
            refused(Refusal.ADDRESS, answer(422), "Correct schema.registry.url"),
            refused(Refusal.ADDRESS, answer(200), "another server answers"),
            refused(Refusal.ADDRESS, answer(302), "redirects to another"),
            passing(answer(429), "limits the number of requests"),
            passing(answer(42901), "limits the number of requests"),
            passing(answer(408), "overloaded"),
            passing(answer(50001), "its own Kafka topic or database"),
            passing(answer(503), "a proxy cannot reach it"),
            refused(
                Refusal.ADDRESS,
                new RegistryUnavailableException(
                    "the schema is larger than schema.registry.max.answer.bytes.", 200, null),
                "Raise that setting"),
            refused(
                Refusal.LOGIN,
                new RegistryUnavailableException("no", new SSLHandshakeException("untrusted")),
                "schema.registry.ssl.*"),
            passing(
                new RegistryUnavailableException("no", new HttpConnectTimeoutException("late")),
                "a firewall drops the packets"),
            passing(
                new RegistryUnavailableException(
                    "it did not accept a connection over TLS within 50 ms",
                    new HttpConnectTimeoutException("late")),
                "does not speak TLS"),
            passing(
                new RegistryUnavailableException("no", new TimeoutException("late")),
                "See the registry's log and its load"),
            passing(
                new RegistryUnavailableException("no", new ConnectException()),
                "schema.registry.url is correct"),
            refused(
                Refusal.ADDRESS,
                new RegistryUnavailableException(
                    "no", new IOException(new UnresolvedAddressException())),
                "Correct the host in schema.registry.url"))
        .map(each -> of(Service.SCHEMA_REGISTRY, each));
  }

  private static IOException login(String message) {
    return new IOException(
        "the login of a@B with /a failed: " + message, new LoginException(message));
  }

  static Stream<Arguments> ofAnyService() {
    return Stream.of(
        passing(new IOException("Connection refused"), "store.url is correct"),
        passing(new InterruptedIOException("interrupted"), "the task is stopped"),
        passing(new ClosedByInterruptException(), "the task is stopped"),
        passing(new IOException("Filesystem closed"), "the task is stopped"),
        passing(new ClosedChannelException(), "The connection was cut"),
        passing(new IOException("Broken pipe"), "The connection was cut"),
        refused(Refusal.LOGIN, new SSLHandshakeException("no"), "Correct the certificates"),
        refused(
            Refusal.LOGIN,
            login("Client not found in Kerberos database (6) - CLIENT_NOT_FOUND"),
            "connect.hdfs.principal"),
        refused(
            Refusal.LOGIN,
            new SaslException(
                "GSS initiate failed [Caused by GSSException: No valid credentials provided (Mechanism level: Server not found in Kerberos database (7) - LOOKING_UP_SERVER)]"),
            "hive.metastore.kerberos.principal"),
        refused(Refusal.LOGIN, login("Checksum failed"), "Export a new keytab"),
        refused(
            Refusal.LOGIN,
            new IOException(
                "the login of a@B failed: /a contains no key of a@B that Java supports"),
            "once this is corrected"),
        passing(login("Clock skew too great (37) - PREAUTH_FAILED"), "Synchronize them"),
        passing(login("Connection refused"), "Check the KDC"),
        passing(
            new SaslException(
                "GSS initiate failed [Caused by GSSException: No valid credentials provided (Mechanism level: Failed to find any Kerberos tgt)]"),
            "the earlier WARN line of the login"),
        passing(
            new KafkaUnavailableException(
                "/logs/quotes: brokers return different topic ids (a, b): the metadata of one of them is outdated, because the topic was recreated."),
            "The service works"),
        passing(
            new IOException("/logs/quotes: 5 claims in a row collided with another task's entries"),
            "waits for another task"),
        // A refusal brings its own cure.
        refused(
            Refusal.QUOTA,
            new StoreRefusedException(
                StoreRefusedException.Reason.QUOTA, "full", "Raise it.", null),
            "Raise it."),
        refused(
            Refusal.ACCESS, new KafkaRefusedException("no", "Allow it to READ.", null), "Allow it"),
        // No row.
        passing(
            new IOException("who knows"),
            "The cause is not known. Check that the service runs and that store.url is correct, and see its log."));
  }

  @Test
  void everyRowIsReachedByAnException() {
    Set<KnownFailure> reached =
        Stream.of(ofHdfs(), ofTheMetastore(), ofKafka(), ofTheRegistry(), ofAnyService())
            .flatMap(each -> each)
            .map(each -> KnownFailure.of((Service) each.get()[0], (Throwable) each.get()[1]))
            .collect(Collectors.toSet());

    assertThat(KnownFailure.TABLE)
        .hasSizeGreaterThan(80)
        .allSatisfy(
            row ->
                assertThat(
                        Arrays.stream(Service.values())
                            .map(
                                service ->
                                    new KnownFailure(
                                        row.failure().refusal(),
                                        row.failure()
                                            .cure()
                                            .replace("{key}", service.addressKey()))))
                    .as(row.toString())
                    .anyMatch(reached::contains));
  }

  /** Messages contain cures, and are looked up again as causes. */
  @Test
  void cureIsNoSignOfAnotherRow() {
    assertThat(KnownFailure.TABLE)
        .allSatisfy(
            row ->
                assertThat(Service.values())
                    .filteredOn(row::isOf)
                    .allSatisfy(
                        service ->
                            assertThat(
                                    KnownFailure.of(service, new Exception(row.failure().cure()))
                                        .cure())
                                .as(row.toString())
                                .startsWith("The cause is not known.")));
  }

  @Test
  void registryThatFailsForAnEventIsNamedAsSuch() {
    SerializationException event =
        new SerializationException("events", new RegistryUnavailableException("no", 40301, null));

    assertThat(KnownFailure.of(Service.KAFKA, event).cure()).contains("Allow this user");
  }

  private static RemoteException remote(String type, String message) {
    return new RemoteException(
        type, message + "\n\tat " + NAME_NODE + "FSNamesystem.startFile(FSNamesystem.java:2531)");
  }

  private static RemoteException remoteIo(String message) {
    return remote(IOException.class.getName(), message);
  }

  private static RemoteException safeMode(String tip) {
    return remote(
        NAME_NODE + "SafeModeException",
        "Cannot create file"
            + FILE
            + ". Name node is in safe mode.\n"
            + tip
            + " NamenodeHostName:nn");
  }

  private static RegistryUnavailableException answer(int code) {
    return new RegistryUnavailableException("returned an error", code, null);
  }

  private static Arguments passing(Throwable failure, String... says) {
    return arguments(Service.STORE, failure, Optional.empty(), List.of(says));
  }

  private static Arguments refused(Refusal refusal, Throwable failure, String... says) {
    return arguments(Service.STORE, failure, Optional.of(refusal), List.of(says));
  }

  private static Arguments of(Service service, Arguments each) {
    Object[] values = each.get();
    return arguments(service, values[1], values[2], values[3]);
  }
}
