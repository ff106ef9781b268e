/**
 * Tests of completeness on the real services: the statements, and the conditions that delay them.
 */
@NullMarked
package io.tidemark.connect.it.completeness;

import org.jspecify.annotations.NullMarked;
