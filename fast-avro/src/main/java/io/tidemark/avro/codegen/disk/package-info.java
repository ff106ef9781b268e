/**
 * A directory of files that hold generated classes, shared by threads and by JVMs. It knows names
 * and bytes only: what the bytes mean is for its users to say and to check.
 */
@NullMarked
package io.tidemark.avro.codegen.disk;

import org.jspecify.annotations.NullMarked;
