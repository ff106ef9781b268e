/** A deployed connector, seen by the command: Connect's REST API, configuration and ledger. */
@NullMarked
package io.tidemark.cli.deployment;

import org.jspecify.annotations.NullMarked;
