package io.tidemark.connect.commit.entry;

/** A topic, apart from others of the same name in other clusters or earlier lives. */
public record TopicIdentity(String clusterId, String topicId) {}
