/**
 * What has landed, seen from outside: files and log entries as they lie in HDFS, rows as
 * HiveServer2 answers them. Knows nothing of the connector's code.
 */
@NullMarked
package io.tidemark.connect.it.landed;

import org.jspecify.annotations.NullMarked;
