/**
 * Reads a deployed connector's configuration, state and ledger. Start with {@link
 * io.tidemark.cli.deployment.Deployment}.
 */
@NullMarked
package io.tidemark.cli.deployment;

import org.jspecify.annotations.NullMarked;
