/**
 * The connector's configuration: settings, their definition, and the checks of validation. The
 * connector and command line read a deployed configuration with this code.
 */
@NullMarked
package io.tidemark.connect.config;

import org.jspecify.annotations.NullMarked;
