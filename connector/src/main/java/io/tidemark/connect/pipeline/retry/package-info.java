/**
 * Steps that are tried again until they succeed or must not, and what becomes of their failures.
 */
@NullMarked
package io.tidemark.connect.pipeline.retry;

import org.jspecify.annotations.NullMarked;
