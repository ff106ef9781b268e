/** The demo: records from Kafka through Connect into HDFS, and out of HiveServer2. */
@NullMarked
package io.tidemark.demo;

import org.jspecify.annotations.NullMarked;
