/** The parallel step: chunks of records become blocks of staged files. */
@NullMarked
package io.tidemark.connect.staging;

import org.jspecify.annotations.NullMarked;
