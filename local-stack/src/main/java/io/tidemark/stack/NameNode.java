package io.tidemark.stack;

import java.net.URI;

/**
 * One name node of {@link Hdfs}.
 *
 * @param id its name in the name service. Example: {@code n1}
 * @param rpcAddress the address for clients. Example: {@code localhost:23456}
 * @param webUrl the URL of its web server. Example: {@code http://localhost:23456}
 */
public record NameNode(String id, String rpcAddress, URI webUrl, ServerProcess process) {

  @Override
  public String toString() {
    return process.name();
  }
}
