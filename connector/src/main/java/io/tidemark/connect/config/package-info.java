/**
 * The connector's configuration: its keys, their definition, and the checks of validation. The
 * command line reads a deployed configuration with it, too. Start with {@link ConnectorConfig}.
 */
@NullMarked
package io.tidemark.connect.config;

import org.jspecify.annotations.NullMarked;
