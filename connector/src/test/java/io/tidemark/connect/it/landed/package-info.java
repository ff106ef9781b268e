/**
 * Landed records as other programs see them: files and log entries in HDFS, and rows in
 * HiveServer2. Uses none of the connector's code.
 */
@NullMarked
package io.tidemark.connect.it.landed;

import org.jspecify.annotations.NullMarked;
