/**
 * Escapes text that comes from records, schemas or services, for logs, messages and headers. Start
 * with {@link io.tidemark.connect.text.PrintableText}.
 */
@NullMarked
package io.tidemark.connect.text;

import org.jspecify.annotations.NullMarked;
