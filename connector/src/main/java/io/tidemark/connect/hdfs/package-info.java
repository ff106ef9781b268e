/** HDFS as storage: the only place that knows Hadoop's file systems. */
@NullMarked
package io.tidemark.connect.hdfs;

import org.jspecify.annotations.NullMarked;
