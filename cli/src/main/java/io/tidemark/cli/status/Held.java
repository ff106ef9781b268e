package io.tidemark.cli.status;

/**
 * The reason why a table, a group or a batch is not complete, with its cure.
 *
 * @param reason a word for programs. Example: {@code BEHIND}
 * @param detail the place and the extent
 * @param cure the action, or the event to wait for
 */
public record Held(String reason, String detail, String cure) {}
