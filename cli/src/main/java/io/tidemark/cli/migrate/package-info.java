/**
 * The migration of another sink's configuration. Start with {@link
 * io.tidemark.cli.migrate.Migration}. The resources of this package have the rules and the texts.
 */
@NullMarked
package io.tidemark.cli.migrate;

import org.jspecify.annotations.NullMarked;
