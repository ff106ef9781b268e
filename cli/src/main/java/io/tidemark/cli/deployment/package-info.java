/**
 * A deployed connector as the command finds it: Connect's REST API, the configuration, the ledger.
 */
@NullMarked
package io.tidemark.cli.deployment;

import org.jspecify.annotations.NullMarked;
