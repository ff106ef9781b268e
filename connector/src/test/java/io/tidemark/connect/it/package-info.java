/**
 * The connector on the real services: Kafka, Connect, the registry, HDFS, the Metastore and
 * HiveServer2, each a process of its own.
 */
@NullMarked
package io.tidemark.connect.it;

import org.jspecify.annotations.NullMarked;
