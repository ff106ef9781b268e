/**
 * The commands of {@code ./stack}: start the local services in the background, print their status,
 * and end them.
 *
 * <p>{@link io.tidemark.stack.command.Supervisor} is a process that runs a {@link
 * io.tidemark.stack.LocalStack} until it is stopped. It records its servers in {@link
 * io.tidemark.stack.command.StackState}, which the other commands read.
 */
@NullMarked
package io.tidemark.stack.command;

import org.jspecify.annotations.NullMarked;
