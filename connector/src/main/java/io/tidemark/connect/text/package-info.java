/** Escapes text from data for logs, messages and headers. */
@NullMarked
package io.tidemark.connect.text;

import org.jspecify.annotations.NullMarked;
