package io.tidemark.cli.status;

/**
 * Why something is not complete, and what to do.
 *
 * @param reason one word for programs. Example: {@code BEHIND}
 * @param detail where and how far
 * @param cure what to do, or what is waited for
 */
public record Held(String reason, String detail, String cure) {}
