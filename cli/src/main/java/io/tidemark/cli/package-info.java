/**
 * The {@code tidemark} command: its subcommands, their options and their exit codes. Start with
 * {@link io.tidemark.cli.Tidemark}.
 */
@NullMarked
package io.tidemark.cli;

import org.jspecify.annotations.NullMarked;
