/**
 * The connector on the real services: Kafka, Connect, the registry, HDFS, the Metastore and
 * HiveServer2, each a process of its own. What has landed is looked at from outside only: files and
 * log entries as they lie in HDFS, rows as HiveServer2 answers them.
 */
@NullMarked
package io.tidemark.connect.it;

import org.jspecify.annotations.NullMarked;
