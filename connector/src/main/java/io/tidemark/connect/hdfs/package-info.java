/** Storage in HDFS: the only package that depends on Hadoop's file systems. */
@NullMarked
package io.tidemark.connect.hdfs;

import org.jspecify.annotations.NullMarked;
