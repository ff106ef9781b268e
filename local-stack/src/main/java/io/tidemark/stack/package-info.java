/**
 * The real services, started from their released jars as processes of their own.
 *
 * <p>{@link io.tidemark.stack.LocalStack} starts what is asked for and stops all of it. Nothing of
 * this package is ever on the class path of a server.
 */
@NullMarked
package io.tidemark.stack;

import org.jspecify.annotations.NullMarked;
