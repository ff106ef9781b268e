/**
 * The steps of a plan, for those that run and compile plans. Internal: no part of the library's
 * API, so anything here may change with any release.
 */
@NullMarked
package io.tidemark.avro.plan.step;

import org.jspecify.annotations.NullMarked;
