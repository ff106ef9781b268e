/** The only package that depends on Hive's classes and Thrift. Start with {@link HiveCatalog}. */
@NullMarked
package io.tidemark.connect.hive;

import org.jspecify.annotations.NullMarked;
