/** The settings, their definition and their checks. Start with {@link ConnectorConfig}. */
@NullMarked
package io.tidemark.connect.config;

import org.jspecify.annotations.NullMarked;
