package io.tidemark.connect.it.versions;

import static io.tidemark.stack.release.HadoopRelease.HADOOP_3_3;
import static io.tidemark.stack.release.HadoopRelease.HADOOP_3_4;
import static io.tidemark.stack.release.KafkaRelease.KAFKA_3_6;
import static io.tidemark.stack.release.KafkaRelease.KAFKA_3_9;
import static io.tidemark.stack.release.KafkaRelease.KAFKA_4_3;
import static io.tidemark.stack.release.MetastoreRelease.HIVE_3_1;
import static io.tidemark.stack.release.MetastoreRelease.HIVE_4_0;
import static io.tidemark.stack.release.MetastoreRelease.HIVE_4_2;
import static io.tidemark.stack.release.RegistryRelease.APICURIO_2;
import static io.tidemark.stack.release.RegistryRelease.APICURIO_3;

import io.tidemark.stack.JavaInstallation;
import io.tidemark.stack.LocalStack;
import io.tidemark.stack.release.HadoopRelease;
import io.tidemark.stack.release.KafkaRelease;
import io.tidemark.stack.release.MetastoreRelease;
import io.tidemark.stack.release.RegistryRelease;
import io.tidemark.stack.release.Release;
import io.tidemark.stack.release.Releases;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Releases that run together.
 *
 * @param workersJava the Java of the Connect workers
 */
record Combination(Releases releases, JavaInstallation workersJava) {

  /** The oldest releases, and the newest that the installed Javas can run. */
  static List<Combination> ends() {
    return List.of(
        of(KAFKA_3_6, KAFKA_3_6, HADOOP_3_3, HIVE_3_1, APICURIO_2),
        of(KAFKA_4_3, KAFKA_4_3, HADOOP_3_4, HIVE_4_2, APICURIO_3));
  }

  /**
   * The ends, and combinations in which the workers of each release run with the brokers and the
   * Metastore of each release. All other tests run the newest workers with Metastore 4.0.
   */
  static List<Combination> all() {
    Set<Combination> all = new LinkedHashSet<>(ends());
    all.add(of(KAFKA_3_9, KAFKA_4_3, HADOOP_3_3, HIVE_4_0, APICURIO_2));
    all.add(of(KAFKA_3_6, KAFKA_4_3, HADOOP_3_4, HIVE_4_2, APICURIO_2));
    all.add(of(KAFKA_4_3, KAFKA_3_6, HADOOP_3_3, HIVE_3_1, APICURIO_3));
    all.add(of(KAFKA_3_9, KAFKA_3_6, HADOOP_3_4, HIVE_4_2, APICURIO_3));
    all.add(of(KAFKA_3_6, KAFKA_4_3, HADOOP_3_4, HIVE_4_0, APICURIO_3));
    all.add(of(KAFKA_3_9, KAFKA_4_3, HADOOP_3_3, HIVE_3_1, APICURIO_2));
    return List.copyOf(all);
  }

  private static Combination of(
      KafkaRelease workers,
      KafkaRelease brokers,
      HadoopRelease hdfs,
      MetastoreRelease metastore,
      RegistryRelease registry) {
    return new Combination(
        new Releases(
            workers,
            brokers,
            hdfs,
            runnable(metastore, MetastoreRelease.values()),
            runnable(registry, RegistryRelease.values())),
        workers == KAFKA_4_3 ? JavaInstallation.newest() : JavaInstallation.ofThisJvm());
  }

  /** A release, or the newest one that an installed Java can run. */
  private static <T extends Release> T runnable(T wanted, T[] releases) {
    if (runs(wanted)) {
      return wanted;
    }
    return Arrays.stream(releases).filter(Combination::runs).reduce((a, b) -> b).orElseThrow();
  }

  static boolean runs(Release release) {
    return JavaInstallation.atLeast(release.javaFeature()).isPresent();
  }

  boolean hasHiveServer() {
    return releases.metastore() == HIVE_4_0;
  }

  /** Its releases. */
  List<Release> members() {
    return List.of(
        releases.workers(),
        releases.brokers(),
        releases.hdfs(),
        releases.metastore(),
        releases.registry());
  }

  @Override
  public String toString() {
    return "Connect %s on Java %d, brokers %s, HDFS %s, Metastore %s, Apicurio %s%s"
        .formatted(
            LocalStack.versionOf(releases.workers()),
            workersJava.feature(),
            LocalStack.versionOf(releases.brokers()),
            LocalStack.versionOf(releases.hdfs()),
            LocalStack.versionOf(releases.metastore()),
            LocalStack.versionOf(releases.registry()),
            hasHiveServer() ? ", with HiveServer2" : "");
  }
}
