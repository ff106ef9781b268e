package io.tidemark.connect.storage;

/** A file or directory as a listing shows it; {@code bytes} is 0 for a directory. */
public record StoredFile(StoragePath path, boolean directory, long bytes) {}
