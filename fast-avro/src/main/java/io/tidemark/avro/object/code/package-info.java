/**
 * The common parts of the generators of readers and writers. Internal: any release may change this
 * package.
 */
@NullMarked
package io.tidemark.avro.object.code;

import org.jspecify.annotations.NullMarked;
