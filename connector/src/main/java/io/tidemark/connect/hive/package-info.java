/**
 * The catalog in the Hive Metastore: the only package that depends on Hive's classes and Thrift.
 */
@NullMarked
package io.tidemark.connect.hive;

import org.jspecify.annotations.NullMarked;
