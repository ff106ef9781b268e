package io.tidemark.stack.command;

import io.tidemark.stack.Hdfs;
import io.tidemark.stack.LocalStack;
import io.tidemark.stack.ServerProcess;
import io.tidemark.stack.Service;
import java.util.ArrayList;
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
    List<Server> servers = new ArrayList<>();
    if (stack.has(Service.KDC)) {
      servers.add(new Server(stack.kdc().process(), stack.kdc().address()));
      servers.add(new Server(stack.kms().process(), stack.kms().uri()));
    }
    servers.add(new Server(stack.kafka().broker(1).process(), stack.kafka().bootstrapServers()));
    servers.add(new Server(stack.registry().process(), stack.registry().url()));
    servers.addAll(serversOf(stack.hdfs()));
    servers.add(new Server(stack.metastore().process(), stack.metastore().uris()));
    servers.add(new Server(stack.hive().process(), stack.hive().jdbcUrl()));
    servers.add(new Server(stack.connect().worker(0).process(), stack.connect().worker(0).url()));
    return servers;
  }

  private static List<Server> serversOf(Hdfs hdfs) {
    List<Server> servers = new ArrayList<>();
    hdfs.journalNodes().forEach((node, address) -> servers.add(new Server(node, address)));
    hdfs.nameNodes()
        .forEach(node -> servers.add(new Server(node.process(), "hdfs://" + node.rpcAddress())));
    servers.add(new Server(hdfs.dataNode(), hdfs.dataNodeAddress()));
    return servers;
  }
}
