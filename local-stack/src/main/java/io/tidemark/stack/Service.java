package io.tidemark.stack;

import java.util.EnumSet;
import java.util.Set;

/**
 * A service that a {@link LocalStack} can start. Each service is listed after those that it needs.
 */
public enum Service {
  /** The KDC of a secured stack. */
  KDC,
  /** The KMS of a secured stack. */
  KMS,
  /** One Kafka broker that is its own controller, or several. */
  KAFKA,
  /** A schema registry with the REST API of Confluent's. */
  REGISTRY,
  /** A schema registry with the REST API of AVRO-1124. */
  SCHEMA_REPO,
  /** One or more name nodes, and a data node. */
  HDFS,
  /** The Hive Metastore. */
  METASTORE,
  /** HiveServer2. */
  HIVE_SERVER,
  /** Workers of Kafka Connect, in distributed mode. */
  CONNECT;

  /** Returns the services that must be ready before this one starts, if the stack is secured. */
  Set<Service> requiresSecured() {
    return switch (this) {
      case KAFKA, HDFS, KMS -> Set.of(KDC);
      default -> Set.of();
    };
  }

  /** Returns the services that must be ready before this one starts, in every stack. */
  Set<Service> requires() {
    return switch (this) {
      case KDC, KMS, KAFKA, REGISTRY, SCHEMA_REPO, HDFS -> Set.of();
      case METASTORE -> Set.of(HDFS);
      case HIVE_SERVER -> Set.of(METASTORE);
      case CONNECT -> Set.of(KAFKA);
    };
  }

  /** Returns the given services with all that they need, directly or indirectly. */
  static Set<Service> withRequired(Set<Service> wanted) {
    Set<Service> all = EnumSet.noneOf(Service.class);
    for (Service service : wanted) {
      all.add(service);
      all.addAll(withRequired(service.requires()));
    }
    return all;
  }
}
