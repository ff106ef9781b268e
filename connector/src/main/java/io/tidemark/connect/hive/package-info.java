/** The Hive Metastore as catalog: the only place that knows Hive's classes and Thrift. */
@NullMarked
package io.tidemark.connect.hive;

import org.jspecify.annotations.NullMarked;
