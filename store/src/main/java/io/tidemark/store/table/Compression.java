package io.tidemark.store.table;

import java.util.OptionalInt;

/** A codec by its name in files, such as {@code snappy}; the level is empty for its default. */
public record Compression(String codec, OptionalInt level) {}
