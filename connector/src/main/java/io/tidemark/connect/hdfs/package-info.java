/** The only package that depends on Hadoop's file systems. Start with {@link HdfsStorage}. */
@NullMarked
package io.tidemark.connect.hdfs;

import org.jspecify.annotations.NullMarked;
