/**
 * Starts the real services from their released jars, each in a separate process.
 *
 * <p>{@link io.tidemark.stack.LocalStack} starts and stops the requested services. No class of this
 * package is on the class path of a server.
 */
@NullMarked
package io.tidemark.stack;

import org.jspecify.annotations.NullMarked;
