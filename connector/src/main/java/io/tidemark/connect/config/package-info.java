/**
 * The connector's configuration: its keys, their definition, and the checks of validation. The
 * connector and the command line both read a deployed configuration with this package. Start with
 * {@link io.tidemark.connect.config.ConnectorConfig}.
 */
@NullMarked
package io.tidemark.connect.config;

import org.jspecify.annotations.NullMarked;
