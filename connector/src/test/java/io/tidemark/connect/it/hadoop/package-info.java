/**
 * Hadoop as production has it: a stack secured with Kerberos and TLS, and one whose HDFS is highly
 * available.
 */
@NullMarked
package io.tidemark.connect.it.hadoop;

import org.jspecify.annotations.NullMarked;
