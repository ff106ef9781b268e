/**
 * Integration tests of the connector on real services: Kafka, Connect, the registry, HDFS, the
 * Metastore and HiveServer2, each in a process of its own.
 */
@NullMarked
package io.tidemark.connect.it;

import org.jspecify.annotations.NullMarked;
