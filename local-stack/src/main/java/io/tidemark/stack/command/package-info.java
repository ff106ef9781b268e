/**
 * What {@code ./stack} runs: the local services in the background, their status and their end.
 *
 * <p>{@link io.tidemark.stack.command.Supervisor} is a process that holds a {@link
 * io.tidemark.stack.LocalStack} until it is stopped. It writes down what it has started in {@link
 * io.tidemark.stack.command.StackState}, from where the other commands find it.
 */
@NullMarked
package io.tidemark.stack.command;

import org.jspecify.annotations.NullMarked;
