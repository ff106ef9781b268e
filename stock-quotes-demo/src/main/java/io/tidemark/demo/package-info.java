/** The demo: records go from Kafka through Connect to HDFS, and are queried by HiveServer2. */
@NullMarked
package io.tidemark.demo;

import org.jspecify.annotations.NullMarked;
