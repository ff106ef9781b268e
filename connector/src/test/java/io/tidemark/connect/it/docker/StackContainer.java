package io.tidemark.connect.it.docker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.InspectContainerResponse;
import com.github.dockerjava.api.exception.InternalServerErrorException;
import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.ContainerNetwork;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.Network.Ipam.Config;
import io.tidemark.stack.Polling;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.Container.ExecResult;
import org.testcontainers.containers.ContainerState;

/** The container of one service, and the faults that it may have. */
final class StackContainer {

  /** The direction in which packets between a container and the others are dropped. */
  enum Way {
    IN("INPUT"),
    OUT("OUTPUT");

    private final String chain;

    Way(String chain) {
      this.chain = chain;
    }
  }

  private static final String IPTABLES = "tidemark/network-faults";
  private static final Duration HEALTHY = Duration.ofMinutes(5);
  private static final Duration PAUSES = Duration.ofSeconds(30);
  private static final int STOP_SECONDS = 30;

  private final String service;
  private final ContainerState state;
  private final String network;
  private final DockerClient docker = DockerClientFactory.instance().client();

  StackContainer(String service, ContainerState state) {
    this.service = service;
    this.state = state;
    this.network = inspect().getNetworkSettings().getNetworks().keySet().iterator().next();
  }

  private InspectContainerResponse inspect() {
    return docker.inspectContainerCmd(state.getContainerId()).exec();
  }

  /**
   * Pauses all of its threads. Its connections stay open, and nothing is answered. With version 1
   * of the kernel's control groups, the runtime fails to freeze a busy container in time and lets
   * it continue: then it is asked again.
   */
  void pause() {
    Polling.until(
        service + " pauses",
        PAUSES,
        () -> {
          try {
            docker.pauseContainerCmd(state.getContainerId()).exec();
            return Optional.empty();
          } catch (InternalServerErrorException e) {
            return Optional.of(String.valueOf(e.getMessage()));
          }
        });
  }

  /** Lets it continue if it was paused. */
  void unpause() {
    if (Boolean.TRUE.equals(inspect().getState().getPaused())) {
      docker.unpauseContainerCmd(state.getContainerId()).exec();
    }
  }

  /** Ends it like a power failure. */
  void kill() {
    docker.killContainerCmd(state.getContainerId()).exec();
  }

  /** Lets it continue, or restarts it with the data of its volume. Returns when it is healthy. */
  void start() {
    unpause();
    if (!isRunning()) {
      docker.startContainerCmd(state.getContainerId()).exec();
    }
    awaitHealthy();
  }

  /** Stops it if it runs, and starts it. */
  void restart() {
    docker.restartContainerCmd(state.getContainerId()).withTimeout(STOP_SECONDS).exec();
    awaitHealthy();
  }

  boolean isRunning() {
    return Boolean.TRUE.equals(inspect().getState().getRunning());
  }

  /** Waits until it has ended by itself. */
  void awaitEnded() {
    Polling.until(
        service + " ends",
        HEALTHY,
        () -> isRunning() ? Optional.of("it is running") : Optional.empty());
  }

  void awaitHealthy() {
    Polling.until(
        service + " is healthy",
        HEALTHY,
        () -> {
          InspectContainerResponse.ContainerState now = inspect().getState();
          String health = now.getHealth() == null ? "unknown" : now.getHealth().getStatus();
          return "healthy".equals(health)
              ? Optional.empty()
              : Optional.of("it is " + now.getStatus() + ", " + health);
        });
  }

  /** Disconnects it: no packet goes in or out, not even to this machine. */
  void disconnect() {
    docker
        .disconnectFromNetworkCmd()
        .withContainerId(state.getContainerId())
        .withNetworkId(network)
        .exec();
  }

  /** Reconnects it if it is disconnected. */
  void connect() {
    if (!inspect().getNetworkSettings().getNetworks().containsKey(network)) {
      docker
          .connectToNetworkCmd()
          .withContainerId(state.getContainerId())
          .withNetworkId(network)
          .withContainerNetwork(new ContainerNetwork().withAliases(service))
          .exec();
    }
  }

  /**
   * Drops packets that come from other containers, or that go to them. Packets over its own
   * loopback address, such as those of its health check, pass.
   */
  void block(Way way) {
    iptables("-I", way.chain, way == Way.IN ? "-s" : "-d", subnet(), "-j", "DROP");
  }

  void unblock(Way way) {
    iptables("-D", way.chain, way == Way.IN ? "-s" : "-d", subnet(), "-j", "DROP");
  }

  private String subnet() {
    List<Config> configs =
        docker.inspectNetworkCmd().withNetworkId(network).exec().getIpam().getConfig();
    return Optional.ofNullable(configs.get(0).getSubnet()).orElseThrow();
  }

  /**
   * Runs in the container's network, from a separate image: the servers' images have no iptables.
   */
  private void iptables(String... arguments) {
    String helper =
        docker
            .createContainerCmd(IPTABLES)
            .withHostConfig(
                HostConfig.newHostConfig()
                    .withNetworkMode("container:" + state.getContainerId())
                    .withCapAdd(Capability.NET_ADMIN, Capability.NET_RAW))
            .withLabels(DockerClientFactory.DEFAULT_LABELS)
            .withCmd(arguments)
            .exec()
            .getId();
    try {
      docker.startContainerCmd(helper).exec();
      int exit = docker.waitContainerCmd(helper).start().awaitStatusCode();
      if (exit != 0) {
        throw new IllegalStateException(
            "iptables " + String.join(" ", arguments) + " ended with " + exit + " in " + service);
      }
    } finally {
      docker.removeContainerCmd(helper).withForce(true).exec();
    }
  }

  /** Runs a command in the container and returns its result. */
  ExecResult run(String... command) {
    try {
      return state.execInContainer(command);
    } catch (IOException e) {
      throw new UncheckedIOException(service, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(service + ": interrupted", e);
    }
  }
}
