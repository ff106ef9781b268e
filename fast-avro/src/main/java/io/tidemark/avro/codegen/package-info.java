/**
 * Plans as bytecode: hidden classes that walk through several datums at a time, made in the
 * background while the interpreter serves.
 */
@NullMarked
package io.tidemark.avro.codegen;

import org.jspecify.annotations.NullMarked;
