package io.tidemark.cli;

import io.tidemark.cli.deployment.CommandFailure;
import io.tidemark.cli.deployment.Deployment;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options of every subcommand, which select the connector. */
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
      description = "override a configuration key, such as a secret of the worker; may be repeated")
  private Map<String, String> set = new LinkedHashMap<>();

  @Option(
      names = "--worker-properties",
      paramLabel = "FILE",
      description = "the worker's properties, whose config.providers resolve secrets")
  private Optional<Path> workerProperties = Optional.empty();

  Deployment open() throws CommandFailure {
    return Deployment.open(connector, connect, set, workerProperties);
  }

  /** Returns these options as text, for a command that the user copies. */
  static String again(Deployment deployment) {
    return "--connector %s --connect %s".formatted(deployment.connector(), deployment.connectUrl());
  }
}
