/** A deployed connector: its configuration from Connect's REST API, its store and its ledger. */
@NullMarked
package io.tidemark.cli.deployment;

import org.jspecify.annotations.NullMarked;
