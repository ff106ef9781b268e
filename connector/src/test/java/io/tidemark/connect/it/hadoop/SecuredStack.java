package io.tidemark.connect.it.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.it.landed.MetastoreTransport;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.stack.Kdc;
import io.tidemark.stack.LocalStack;
import io.tidemark.stack.Security;
import io.tidemark.stack.SecurityOptions;
import io.tidemark.stack.Service;
import io.tidemark.stack.security.KdcKind;
import io.tidemark.stack.security.Realm;
import java.io.IOException;
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.key.KeyProvider;
import org.apache.hadoop.crypto.key.KeyProviderFactory;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.client.CreateEncryptionZoneFlag;
import org.apache.hadoop.hdfs.client.HdfsAdmin;
import org.apache.hadoop.hive.metastore.api.ThriftHiveMetastore;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.transport.TTransport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/**
 * A KDC, and HDFS, KMS, Metastore, HiveServer2 and Kafka that require a login with Kerberos and
 * encryption. {@link Kdc} has what a test of outages needs: it stops and starts, and keys,
 * principals and the life of tickets change.
 */
public final class SecuredStack extends HadoopStack {

  /** Principals that have no rights in Kafka, unless a test grants them. */
  static final List<String> WITHOUT_RIGHTS = List.of("lander", "consumer");

  private static final List<String> USERS = SecurityOptions.USUAL.users();

  private @Nullable RealStack landing;

  private SecuredStack(LocalStack services) {
    super(services);
  }

  /** Starts the stack with the best KDC of this machine. */
  static SecuredStack start() {
    return new SecuredStack(
        LocalStack.builder()
            .directory(newDirectory())
            .firstCompilerOnly()
            .secured(
                new SecurityOptions(
                    KdcKind.best(),
                    SecurityOptions.USUAL.protection(),
                    Stream.concat(USERS.stream(), WITHOUT_RIGHTS.stream()).toList()))
            .kafkaProperties(
                Map.of(
                    "authorizer.class.name",
                    "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
                    "super.users",
                    Stream.concat(Stream.of("ANONYMOUS", "kafka"), USERS.stream())
                        .map("User:"::concat)
                        .collect(Collectors.joining(";"))))
            .with(Service.HIVE_SERVER, Service.REGISTRY, Service.CONNECT)
            .pluginArchive(RealStack.pluginArchive())
            .start());
  }

  /** Returns what connectors of the workers need. The caller ends it with {@code endTest}. */
  public RealStack landing() throws IOException {
    if (landing == null) {
      landing = RealStack.secured(services());
    }
    return landing;
  }

  public Kdc kdc() {
    return services().kdc();
  }

  /**
   * Returns the KDC for a test that restarts it or changes principals, which needs MIT's. Without
   * it the test is skipped; with {@code CI=true} it fails.
   */
  public Kdc kdcWithOutages() {
    boolean isMit = kdc().kind() == KdcKind.MIT;
    if ("true".equals(System.getenv("CI"))) {
      assertThat(isMit).as("this needs MIT's KDC (Debian: krb5-admin-server)").isTrue();
    }
    Assumptions.assumeTrue(isMit, "MIT's KDC is not installed");
    return kdc();
  }

  public Configuration configuration() {
    return configuration(Map.of());
  }

  /** Logs in with the keytab of a principal, beside all others. */
  public UserGroupInformation login(String principal) throws IOException {
    UserGroupInformation user =
        UserGroupInformation.loginUserFromKeytabAndReturnUGI(
            Realm.principal(principal), kdc().realm().keytab(principal).toString());
    assertThat(user.getUserName()).isEqualTo(Realm.principal(principal));
    return user;
  }

  /** Runs an action as a user, and throws what it throws. */
  static <T> T as(UserGroupInformation user, PrivilegedExceptionAction<T> action)
      throws IOException, InterruptedException {
    return user.doAs(action);
  }

  /** Returns a new file system of a user. The caller closes it. */
  public FileSystem fileSystemOf(UserGroupInformation user, Configuration configuration)
      throws IOException, InterruptedException {
    return as(user, () -> newFileSystem(configuration));
  }

  /** Makes a directory of a user that is an encryption zone with a key of its own. */
  void makeEncryptionZone(Path zone, String owner) throws IOException, InterruptedException {
    Configuration conf = configuration();
    FileSystem created =
        as(
            login(Security.NAME_NODE),
            () -> {
              KeyProvider keys = KeyProviderFactory.get(URI.create(services().kms().uri()), conf);
              keys.createKey("key-of-" + zone.getName(), new KeyProvider.Options(conf));
              FileSystem files = newFileSystem(conf);
              files.mkdirs(zone);
              files.setOwner(zone, owner, null);
              new HdfsAdmin(uri(), conf)
                  .createEncryptionZone(
                      zone,
                      "key-of-" + zone.getName(),
                      EnumSet.noneOf(CreateEncryptionZoneFlag.class));
              return files;
            });
    created.close();
  }

  /** Connects a user to the Metastore with SASL in TLS. The caller closes the transport. */
  public TTransport metastoreTransport(UserGroupInformation user)
      throws IOException, InterruptedException {
    return as(
        user,
        () -> {
          TTransport transport = MetastoreTransport.secured(services());
          transport.open();
          return transport;
        });
  }

  static ThriftHiveMetastore.Client metastore(TTransport transport) {
    return new ThriftHiveMetastore.Client(new TBinaryProtocol(transport));
  }

  @Override
  void enter() {
    UserGroupInformation.setConfiguration(configuration());
  }

  /** Otherwise later tests of this JVM would log in to services that have no Kerberos. */
  @Override
  void leave() {
    UserGroupInformation.reset();
  }

  @Override
  void mend() {
    kdc().ensureStarted();
    services().hdfs().mend();
  }

  @Override
  public void close() {
    if (landing == null) {
      super.close();
    } else {
      landing.close(); // with the services
    }
  }
}
