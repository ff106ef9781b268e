package io.tidemark.stack.command;

import io.tidemark.stack.LocalStack;
import io.tidemark.stack.ServerProcess;
import java.util.List;

/**
 * A server of a running stack, for other processes.
 *
 * @param name the server's name. Example: {@code name-node}
 * @param address the address for its clients. Example: {@code hdfs://localhost:23456}
 */
record Member(String name, String address, ProcessId process) {

  /** A server with the address that its clients use. */
  record Server(ServerProcess process, String address) {

    Member member() {
      return new Member(
          process.name(), address, ProcessId.of(ProcessHandle.of(process.pid()).orElseThrow()));
    }
  }

  /** Returns the servers of a stack with all services, in the order of their starts. */
  static List<Server> serversOf(LocalStack stack) {
    return List.of(
        new Server(stack.kafka().broker(1).process(), stack.kafka().bootstrapServers()),
        new Server(stack.registry().process(), stack.registry().url()),
        new Server(stack.hdfs().nameNode(), stack.hdfs().uri().toString()),
        new Server(stack.hdfs().dataNode(), stack.hdfs().dataNodeAddress()),
        new Server(stack.metastore().process(), stack.metastore().uris()),
        new Server(stack.hive().process(), stack.hive().jdbcUrl()),
        new Server(stack.connect().worker(0).process(), stack.connect().worker(0).url()));
  }
}
