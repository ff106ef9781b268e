/**
 * The catalog in the Hive Metastore: the only package that depends on Hive's classes and Thrift.
 * Start with {@link io.tidemark.connect.hive.HiveCatalog}.
 */
@NullMarked
package io.tidemark.connect.hive;

import org.jspecify.annotations.NullMarked;
