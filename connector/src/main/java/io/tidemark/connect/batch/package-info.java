/** Records as bytes, their offsets, and chunks of them. */
@NullMarked
package io.tidemark.connect.batch;

import org.jspecify.annotations.NullMarked;
