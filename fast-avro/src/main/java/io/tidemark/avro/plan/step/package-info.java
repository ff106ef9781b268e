/**
 * The steps of a plan, for the interpreter and the compiler. Internal: this package may change with
 * any release.
 */
@NullMarked
package io.tidemark.avro.plan.step;

import org.jspecify.annotations.NullMarked;
