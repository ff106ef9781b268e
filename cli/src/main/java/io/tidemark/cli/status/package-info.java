/**
 * The completeness of tables and groups, with the reasons for waits, as a value, text, JSON and
 * HTML.
 */
@NullMarked
package io.tidemark.cli.status;

import org.jspecify.annotations.NullMarked;
