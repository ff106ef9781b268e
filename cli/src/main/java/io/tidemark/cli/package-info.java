/** The {@code tidemark} command: its subcommands, their options and their exit codes. */
@NullMarked
package io.tidemark.cli;

import org.jspecify.annotations.NullMarked;
