package io.tidemark.cli;

import io.tidemark.cli.deployment.CommandFailure;
import io.tidemark.cli.deployment.Deployment;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Option;

/** Which connector is meant: options of every subcommand. */
final class ConnectorOptions {
  @Option(
      names = "--connector",
      required = true,
      paramLabel = "NAME",
      description = "the connector's name")
  private String connector = "";

  @Option(
      names = "--connect",
      required = true,
      paramLabel = "URL",
      description = "Connect's REST API, such as http://worker:8083")
  private String connect = "";

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "a configuration key that only the worker can resolve; may be repeated")
  private Map<String, String> set = new LinkedHashMap<>();

  Deployment open() throws CommandFailure {
    return Deployment.open(connector, connect, set);
  }

  /** As these options are written again. */
  static String again(Deployment deployment) {
    return "--connector %s --connect %s".formatted(deployment.connector(), deployment.connectUrl());
  }
}
