/**
 * Storage in HDFS: the only package that depends on Hadoop's file systems. Start with {@link
 * io.tidemark.connect.hdfs.HdfsStorage}.
 */
@NullMarked
package io.tidemark.connect.hdfs;

import org.jspecify.annotations.NullMarked;
