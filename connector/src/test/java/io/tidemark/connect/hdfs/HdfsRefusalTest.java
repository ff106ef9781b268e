package io.tidemark.connect.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.store.StoragePath;
import io.tidemark.store.StoreRefusedException;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.CipherSuite;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DSQuotaExceededException;
import org.apache.hadoop.hdfs.protocol.EncryptionZone;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Errors of a name node that last until an operator acts, as HDFS's client reports them. */
final class HdfsRefusalTest {
  private static final StoragePath STAGING = new StoragePath("/topics/quotes/.staging");
  private static final StoragePath PARTITION = new StoragePath("/topics/quotes/region=eu");

  private final Refusing refusing = new Refusing();
  private final HdfsStorage storage;

  HdfsRefusalTest() throws IOException {
    storage =
        new HdfsStorage(
            refusing, HdfsIdentity.of(HadoopUser.OF_THE_PROCESS, new Configuration()), "");
  }

  @Test
  void directoriesOfTwoEncryptionZonesAreRefusedWithBothAndTheCure() {
    refusing.zones.put(PARTITION.value(), zone(7, PARTITION.value()));

    assertThatThrownBy(() -> storage.requireRenames(STAGING, PARTITION))
        .isInstanceOf(StoreRefusedException.class)
        .hasMessageContaining("from /topics/quotes/.staging (in no encryption zone)")
        .hasMessageContaining("region=eu (in the encryption zone /topics/quotes/region=eu)")
        .hasMessageContaining("create the zone above the table's root");

    refusing.zones.clear();
    assertThatCode(() -> storage.requireRenames(STAGING, PARTITION)).doesNotThrowAnyException();
  }

  @Test
  void zonesAreAskedForOnce() throws Exception {
    refusing.zones.put(STAGING.value(), zone(7, "/topics"));
    refusing.zones.put(PARTITION.value(), zone(7, "/topics"));

    storage.requireRenames(STAGING, PARTITION);
    storage.requireRenames(STAGING, PARTITION);

    assertThat(refusing.asked).containsExactly(STAGING.value(), PARTITION.value());
  }

  /** The second is that of an authorizer of a name node before 3.3.2. */
  @Test
  void zoneThatMayNotBeSeenRefusesNothing() {
    for (IOException hidden :
        List.of(
            new AccessControlException("Permission denied: access=READ"),
            new RemoteException(
                "org.apache.ranger.authorization.hadoop.exceptions.RangerAccessControlException",
                "Permission denied: user=connect, access=READ, inode=\"/topics\""))) {
      refusing.hidden = hidden;

      assertThatCode(() -> storage.requireRenames(STAGING, PARTITION)).doesNotThrowAnyException();
    }
  }

  @Test
  void zoneThatIsUnknownInAnOutageIsAskedForAgain() {
    refusing.hidden = new ConnectException("Connection refused");

    assertThatThrownBy(() -> storage.requireRenames(STAGING, PARTITION))
        .isNotInstanceOf(StoreRefusedException.class)
        .hasMessageContaining("Check that the service runs");
  }

  @Test
  void limitOfItemsInADirectoryIsToldWithItsCureInOneLine() {
    refusing.answer =
        new RemoteException(
            "org.apache.hadoop.hdfs.protocol.FSLimitException$MaxDirectoryItemsExceededException",
            "The directory item limit of /topics/quotes/region=eu is exceeded: limit=2 items=2\n\tat org.apache");

    assertThatThrownBy(() -> storage.rename(STAGING.child("c/1.avro"), PARTITION.child("1.avro")))
        .isInstanceOf(StoreRefusedException.class)
        .hasMessage(
            "hdfs://nn:8020: The directory item limit of /topics/quotes/region=eu is exceeded: limit=2 items=2. Raise dfs.namenode.fs-limits.max-directory-items on the name nodes and restart them, or merge files of that directory. A path.format or partition fields with more Hive partitions keep directories smaller. The call is retried.");
  }

  @Test
  void quotaIsToldWithItsCure() {
    refusing.answer =
        new RemoteException(
            "org.apache.hadoop.hdfs.protocol.NSQuotaExceededException",
            "The NameSpace quota (directories and files) of directory /topics/quotes/region=eu is exceeded: quota=1 file count=2\n\tat org.apache");

    assertThatThrownBy(() -> storage.rename(STAGING.child("c/1.avro"), PARTITION.child("1.avro")))
        .isInstanceOf(StoreRefusedException.class)
        .hasMessageContaining("of directory /topics/quotes/region=eu is exceeded: quota=1")
        .hasMessageContaining("hdfs dfsadmin -setQuota")
        .hasMessageNotContaining("-setSpaceQuota")
        .hasMessageNotContaining("\n");
  }

  /** The message of the client does not name the server. */
  @Test
  void outageOfTheKeyServerIsNotReportedAsOneOfTheNameNode() {
    refusing.answer = new ConnectException("Connection refused");
    refusing.answer.setStackTrace(
        new StackTraceElement[] {
          new StackTraceElement(
              "org.apache.hadoop.crypto.key.kms.KMSClientProvider", "call", "x", 1)
        });

    assertThatThrownBy(() -> storage.rename(STAGING.child("c/1.avro"), PARTITION.child("1.avro")))
        .isNotInstanceOf(StoreRefusedException.class)
        .hasMessage(
            "hdfs://nn:8020: the key management server (KMS) failed: Connection refused. The KMS has the keys of encryption zones. Check that it runs, and that the worker reaches its address and trusts its certificate: by ssl-client.xml in hadoop.conf.dir. The call is retried.");
  }

  @Test
  void outageOfTheNameNodeHasItsPlaceCauseAndCure() {
    refusing.answer =
        new RemoteException(
            "org.apache.hadoop.hdfs.server.namenode.SafeModeException",
            "Cannot rename /topics/quotes/.staging/c/1.avro. Name node is in safe mode.\nIt was turned on manually. Use \"hdfs dfsadmin -safemode leave\" to turn safe mode off. NamenodeHostName:nn\n\tat org.apache");

    assertThatThrownBy(() -> storage.rename(STAGING.child("c/1.avro"), PARTITION.child("1.avro")))
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(StoreRefusedException.class)
        .hasMessage(
            "hdfs://nn:8020: Cannot rename /topics/quotes/.staging/c/1.avro. Name node is in safe mode. An administrator has turned on safe mode, in which HDFS cannot be changed. Wait for the end of the maintenance, or end safe mode by hdfs dfsadmin -safemode leave. The call is retried.");
  }

  /** After each of these, the rename may have been done: the outcome is not known. */
  @ParameterizedTest
  @MethodSource("unknownOutcomes")
  void lostAnswerOfARenameIsNoRefusal(IOException lost) {
    refusing.answer = lost;

    assertThatThrownBy(() -> storage.rename(STAGING.child("c/1.avro"), PARTITION.child("1.avro")))
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(StoreRefusedException.class)
        .isNotInstanceOf(FileSystemException.class)
        .hasMessageContaining("The call is retried.");
  }

  static List<IOException> unknownOutcomes() {
    return List.of(
        new EOFException("End of File Exception between local host and destination host"),
        new SocketTimeoutException("10000 millis timeout while waiting for channel to be ready"),
        new SocketException("Connection reset"),
        new RetriableException("the name node is starting"),
        new RemoteException(
            "org.apache.hadoop.ipc.StandbyException",
            "Operation category WRITE is not supported in state standby"),
        new RemoteException("org.apache.hadoop.ipc.RetriableException", "NameNode still starting"));
  }

  /** Without a retry cache, this is the answer to a rename that the client repeats. */
  @Test
  void missingSourceAndExistingTargetKeepTheirTypes() {
    refusing.answer =
        new RemoteException("java.io.FileNotFoundException", "rename source not found");
    assertThatThrownBy(() -> storage.rename(STAGING.child("c/1.avro"), PARTITION.child("1.avro")))
        .isInstanceOf(NoSuchFileException.class);

    refusing.answer =
        new RemoteException("org.apache.hadoop.fs.FileAlreadyExistsException", "exists");
    assertThatThrownBy(() -> storage.rename(STAGING.child("c/1.avro"), PARTITION.child("1.avro")))
        .isInstanceOf(FileAlreadyExistsException.class);
  }

  @Test
  void renameBetweenNamespacesOfARouterIsToldWithItsCure() {
    refusing.answer =
        new RemoteException(
            "java.io.IOException",
            "Rename of /topics/quotes/.staging/c/1.avro to /topics/quotes/region=eu/1.avro is not allowed, no eligible destination in the same namespace was found.");

    assertThatThrownBy(() -> storage.rename(STAGING.child("c/1.avro"), PARTITION.child("1.avro")))
        .isInstanceOf(StoreRefusedException.class)
        .hasMessageContaining("Mount all of logs.dir from one namespace");
  }

  /** The client requests the next block in the middle of a file. */
  @Test
  void quotaThatIsMetWhileAFileIsWrittenIsToldWithItsCure() {
    DSQuotaExceededException full = new DSQuotaExceededException(1, 134_217_728);
    full.setPathName("/topics/quotes");
    try (HdfsOutput output = new HdfsOutput(new Refused(full), "hdfs://nn:8020")) {
      assertThatThrownBy(() -> output.write(new byte[10], 0, 10))
          .isInstanceOf(StoreRefusedException.class)
          .hasMessageContaining("The DiskSpace quota of /topics/quotes is exceeded")
          .hasMessageContaining("hdfs dfsadmin -setSpaceQuota")
          .hasMessageContaining("each open file reserves a whole block times the replication")
          .hasMessageNotContaining("-setQuota");
      assertThatThrownBy(output::close).isInstanceOf(StoreRefusedException.class);
    } catch (IOException e) {
      assertThat(e).isInstanceOf(StoreRefusedException.class);
    }
  }

  /** A file that accepts no byte. */
  private static final class Refused extends OutputStream {
    private final IOException answer;

    Refused(IOException answer) {
      this.answer = answer;
    }

    @Override
    public void write(int octet) throws IOException {
      throw answer;
    }

    @Override
    public void close() throws IOException {
      throw answer;
    }
  }

  @Test
  void renameIntoAnEncryptionZoneIsToldWithItsCure() {
    refusing.answer =
        new RemoteException(
            "java.io.IOException",
            "/topics/quotes/.staging/c/1.avro can't be moved into an encryption zone.\n\tat org.apache");

    assertThatThrownBy(() -> storage.rename(STAGING.child("c/1.avro"), PARTITION.child("1.avro")))
        .isInstanceOf(StoreRefusedException.class)
        .hasMessageContaining(
            "can't be moved into an encryption zone. A table and its .staging directory must be in one");
  }

  private static EncryptionZone zone(long id, String path) {
    return new EncryptionZone(
        id, path, CipherSuite.AES_CTR_NOPADDING, CryptoProtocolVersion.ENCRYPTION_ZONES, "key");
  }

  /** A file system in which the test decides the name node's answers. */
  private static final class Refusing extends DistributedFileSystem {
    private final Map<String, EncryptionZone> zones = new HashMap<>();
    private final List<String> asked = new ArrayList<>();
    private @Nullable IOException hidden;
    private IOException answer = new IOException("no answer");

    @Override
    public URI getUri() {
      return URI.create("hdfs://nn:8020");
    }

    @Override
    public @Nullable EncryptionZone getEZForPath(Path path) throws IOException {
      if (hidden != null) {
        throw hidden;
      }
      asked.add(path.toUri().getPath());
      return zones.get(path.toUri().getPath());
    }

    @Override
    public FileStatus getFileStatus(Path path) throws IOException {
      throw new FileNotFoundException(path.toString());
    }

    @Override
    public void rename(Path source, Path target, Options.Rename... options) throws IOException {
      throw answer;
    }
  }
}
