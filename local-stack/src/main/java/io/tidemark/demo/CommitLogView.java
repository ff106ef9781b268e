package io.tidemark.demo;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;

/** What the connector has committed, read from outside. Has one owner. */
final class CommitLogView {

  private final Admin admin;
  private final String group;

  CommitLogView(Admin admin, String connector) {
    this.admin = admin;
    this.group = "connect-" + connector;
  }

  long committedRecords(Consumer<String> newBatch) throws IOException {
    try {
      return admin
          .listConsumerGroupOffsets(group)
          .partitionsToOffsetAndMetadata()
          .get()
          .values()
          .stream()
          .mapToLong(OffsetAndMetadata::offset)
          .sum();
    } catch (ExecutionException e) {
      throw new IOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }
}
