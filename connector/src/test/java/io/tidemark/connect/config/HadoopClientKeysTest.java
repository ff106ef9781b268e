package io.tidemark.connect.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Field;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The settings of Hadoop's client that a configuration may have. */
class HadoopClientKeysTest {
  private static final String CREDENTIALS = "hadoop.security.credential.provider.path";

  private final String before = System.getProperty(LocalFiles.DIRECTORY, "");

  @BeforeEach
  void nameTheDirectory() {
    System.setProperty(LocalFiles.DIRECTORY, "/srv/tidemark");
  }

  @AfterEach
  void restoreTheDirectory() {
    System.setProperty(LocalFiles.DIRECTORY, before);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          hadoop.dfs.client.socket-timeout | 30000 | dfs.client.socket-timeout
          hadoop.dfs.replication | 2 | dfs.replication
          hadoop.dfs.blocksize | 64m | dfs.blocksize
          hadoop.fs.permissions.umask-mode | 027 | fs.permissions.umask-mode
          hadoop.fs.permissions.umask-mode | u=rwx,g=rx,o= | fs.permissions.umask-mode
          hadoop.ipc.client.rpc-timeout.ms | 5000 | ipc.client.rpc-timeout.ms
          hadoop.rpc.protection | privacy | hadoop.rpc.protection
          hadoop.hadoop.rpc.protection | authentication,privacy | hadoop.rpc.protection
          hadoop.dfs.data.transfer.protection | privacy | dfs.data.transfer.protection
          hadoop.dfs.nameservices | cluster1 | dfs.nameservices
          hadoop.dfs.ha.namenodes.cluster1 | nn1,nn2 | dfs.ha.namenodes.cluster1
          hadoop.dfs.namenode.rpc-address.cluster1.nn1 | nn1.example:8020 | dfs.namenode.rpc-address.cluster1.nn1
          hadoop.dfs.client.failover.proxy.provider.cluster1 | org.apache.hadoop.hdfs.server.namenode.ha.ObserverReadProxyProvider | dfs.client.failover.proxy.provider.cluster1
          hadoop.security.key.provider.path | kms://https@kms1;kms2:9600/kms | hadoop.security.key.provider.path
          """)
  void settingsOfTheClientAreGivenToHadoop(String key, String value, String name) {
    assertThat(HadoopClientKeys.problem(key, value)).isEmpty();
    assertThat(HadoopClientKeys.settings(Map.of(key, " " + value + " ", "hadoop.conf.dir", "/etc")))
        .isEqualTo(Map.of(name, value));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "fs.hdfs.impl",
        "fs.hdfs.impl.disable.cache",
        "hadoop.security.group.mapping",
        "security.group.mapping",
        "hadoop.security.saslproperties.resolver.class",
        "dfs.data.transfer.saslproperties.resolver.class",
        "dfs.trustedchannel.resolver.class",
        "dfs.client.replica.accessor.builder.classes",
        "dfs.client.failover.resolver.impl",
        "io.compression.codecs",
        "io.serializations",
        "hadoop.ssl.client.conf",
        "ssl.client.truststore.location",
        "dfs.client.https.keystore.resource",
        "dfs.domain.socket.path",
        "hadoop.security.credstore.java-keystore-provider.password-file",
        "hadoop.security.random.device.file.path",
        "hadoop.kerberos.kinit.command",
        "net.topology.script.file.name",
        "hadoop.security.authentication",
        "security.authentication",
        "hadoop.security.auth_to_local",
        "hadoop.rpc.socket.factory.class.default",
        "rpc.socket.factory.class.ClientProtocol",
        "ipc.client.fallback-to-simple-auth-allowed",
        "ipc.client.connect.timeout",
        "hadoop.kerberos.min.seconds.before.relogin",
        "dfs.client.hedged.read.threadpool.size",
        "",
        "no.setting.of.hadoop"
      })
  void otherSettingsAreRefusedWithTheReasonAndTheCure(String name) {
    assertThat(HadoopClientKeys.problem("hadoop." + name, "true"))
        .contains(
            "is refused. A configuration cannot have settings of Hadoop that load classes, name files or apply to all connectors of a worker, nor unknown ones. Set it in core-site.xml or hdfs-site.xml of hadoop.conf.dir, or remove it.");
    assertThatThrownBy(() -> HadoopClientKeys.settings(Map.of("hadoop." + name, "true")))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("hadoop." + name + " is refused");
  }

  @ParameterizedTest
  @CsvSource({
    "hadoop.dfs.client.socket-timeuot, hadoop.dfs.client.socket-timeout",
    "hadoop.rpc.protecton, hadoop.rpc.protection",
    "hadoop.dfs.block.size, hadoop.dfs.blocksize",
    "hadoop.conf.dr, hadoop.conf.dir"
  })
  void typingErrorIsAnsweredWithTheKey(String wrong, String right) {
    assertThat(HadoopClientKeys.problem(wrong, "1"))
        .hasValueSatisfying(
            problem -> assertThat(problem).contains("Did you mean " + right + "? "));
  }

  /** Hadoop replaces them in every value that it reads, also by secrets in the environment. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "${user.home}",
        "${env.SECRET}",
        "${env.SECRET:-1}",
        "${fs.defaultFS}",
        "nn/${env.SECRET}@REALM",
        "027${x}",
        "privacy\n${env.SECRET}",
        "file:///etc/passwd",
        "jceks://file/etc/secrets.jceks",
        "user:///"
      })
  void noSettingHasVariablesOrFilesOfTheWorker(String value) {
    for (String name : HadoopClientKeys.names()) {
      String key = "hadoop." + name.replace("*", "x");
      assertThat(HadoopClientKeys.problem(key, value)).as(key).isPresent();
    }
    assertThat(
            HadoopClientKeys.names().stream()
                .filter(
                    name ->
                        HadoopClientKeys.problem(
                                "hadoop." + name.replace("*", "x"), "com.example.Evil")
                            .isEmpty()))
        .containsExactlyInAnyOrder(
            "dfs.client.context",
            "dfs.client.local.interfaces",
            "dfs.datanode.kerberos.principal",
            "dfs.ha.namenodes.*",
            "dfs.nameservices",
            "dfs.namenode.kerberos.principal",
            "dfs.namenode.kerberos.principal.pattern");
    assertThatThrownBy(
            () -> ValueForm.PRINCIPAL.ensureValid("hdfs.namenode.principal", "${env.SECRET}"))
        .hasMessageContaining("hdfs.namenode.principal");
  }

  @ParameterizedTest
  @CsvSource({
    "dfs.replication, many, a whole number",
    "dfs.blocksize, 12q, 'a number of bytes, such as 128m'",
    "dfs.client.use.datanode.hostname, yes, true or false",
    "fs.permissions.umask-mode, 0999, 'a umask, such as 027 or u=rwx,g=rx,o='",
    "hadoop.rpc.protection, none, 'any of authentication, integrity and privacy'",
    "dfs.client.failover.proxy.provider.x, com.example.Evil, a class of Hadoop that finds the active name node",
    "hadoop.security.key.provider.path, jceks://file/etc/x, 'a key management server, such as kms://https@host:9600/kms'"
  })
  void wrongValueIsAnsweredWithTheForm(String name, String value, String form) {
    assertThat(HadoopClientKeys.problem("hadoop." + name, value))
        .contains(
            "is refused: its value is not %s. Correct it, or set it in core-site.xml or hdfs-site.xml of hadoop.conf.dir."
                .formatted(form));
  }

  @Test
  void passwordsAreInTheDirectoryThatTheWorkerNames() {
    for (String key : List.of(CREDENTIALS, "hadoop." + CREDENTIALS)) {
      assertThat(HadoopClientKeys.problem(key, "jceks://file/srv/tidemark/x.jceks")).isEmpty();
      for (String out :
          List.of("/etc/x.jceks", "/srv/tidemark/../x.jceks", "/srv/tidemark/%2e%2e/x.jceks")) {
        assertThat(HadoopClientKeys.problem(key, "localjceks://file" + out)).as(out).isPresent();
      }
    }
  }

  @Test
  void everyPermittedSettingIsOneThatHadoopReads() throws ReflectiveOperationException {
    Set<String> known = new TreeSet<>();
    addConstants(HdfsClientConfigKeys.class, known);
    new Configuration().forEach(entry -> known.add(entry.getKey()));
    // Of hdfs-default.xml, which is not in the client's archive, and without a default.
    known.add("dfs.namenode.kerberos.principal.pattern");
    known.add("hadoop.security.key.provider.path");
    known.add(CREDENTIALS);
    assertThat(HadoopClientKeys.names())
        .hasSizeGreaterThan(60)
        .allSatisfy(name -> assertThat(known).contains(name.replaceFirst("\\.\\*$", "")));
  }

  /** Each default of Hadoop that is a class, a program or a file is of a refused setting. */
  @Test
  void settingsWhoseDefaultsAreClassesOrFilesAreRefused() {
    for (Map.Entry<String, String> each : new Configuration()) {
      if (each.getValue().matches("(?s).*(\\.\\w*[A-Z]|/|\\$\\{).*")
          && !each.getKey().equals("hadoop.security.key.default.cipher")) {
        assertThat(HadoopClientKeys.problem("hadoop." + each.getKey(), "1"))
            .as(each.toString())
            .isPresent();
      }
    }
  }

  private static void addConstants(Class<?> of, Set<String> names) throws IllegalAccessException {
    for (Field field : of.getFields()) {
      if (field.getType() == String.class) {
        names.add((String) field.get(null));
      }
    }
    for (Class<?> nested : of.getDeclaredClasses()) {
      if (nested.isInterface()) {
        addConstants(nested, names);
      }
    }
  }
}
