package io.tidemark.stack;

import io.tidemark.stack.release.RegistryRelease;
import io.tidemark.stack.release.Release;
import io.tidemark.stack.release.Releases;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Real services on this machine, each in a separate process on free ports. Their data,
 * configurations and logs are under one directory.
 *
 * <pre>{@code
 * try (LocalStack stack =
 *     LocalStack.builder().directory(folder).with(Service.KAFKA, Service.HDFS).start()) {
 *   stack.kafka().bootstrapServers();
 * }
 * }</pre>
 *
 * <p>{@link #close()} stops all services. The end of this JVM does the same: by a shutdown hook
 * after SIGTERM and Ctrl-C, and by a {@link Watchdog} after SIGKILL. Safe for use by several
 * threads.
 *
 * <p>The file is long because it also has the Builder, whose settings only this class reads.
 */
public final class LocalStack implements AutoCloseable {

  private final StackFiles files;
  private final Optional<LocalStack> other;
  private final Watchdog watchdog = new Watchdog();
  private final Map<Service, StackService> services = new EnumMap<>(Service.class);
  private final Thread shutdownHook = new Thread(this::stopAll, "stop-local-stack");

  private LocalStack(StackFiles files, Optional<LocalStack> other) {
    this.files = files;
    this.other = other;
  }

  public static Builder builder() {
    return new Builder();
  }

  /** Returns the KDC of a secured stack. */
  public Kdc kdc() {
    return service(Service.KDC, Kdc.class);
  }

  /** Returns the KMS of a secured stack. */
  public Kms kms() {
    return service(Service.KMS, Kms.class);
  }

  /** Returns what the servers and clients of a secured stack have in common. */
  public Security security() {
    return hdfs()
        .security()
        .orElseThrow(() -> new IllegalStateException("this stack is not secured: secured(…)"));
  }

  public KafkaCluster kafka() {
    return service(Service.KAFKA, KafkaCluster.class);
  }

  public SchemaRegistryServer registry() {
    return service(Service.REGISTRY, SchemaRegistryServer.class);
  }

  public SchemaRepoServer schemaRepo() {
    return service(Service.SCHEMA_REPO, SchemaRepoServer.class);
  }

  public Hdfs hdfs() {
    return service(Service.HDFS, Hdfs.class);
  }

  public HiveMetastore metastore() {
    return service(Service.METASTORE, HiveMetastore.class);
  }

  public HiveServer hive() {
    return service(Service.HIVE_SERVER, HiveServer.class);
  }

  public ConnectCluster connect() {
    return service(Service.CONNECT, ConnectCluster.class);
  }

  private <T extends StackService> T service(Service service, Class<T> type) {
    StackService found = services.get(service);
    if (found == null && other.isPresent()) {
      return other.get().service(service, type);
    }
    if (found == null) {
      throw new IllegalStateException(
          "%s is not part of this stack: start it with(Service.%s)".formatted(service, service));
    }
    return type.cast(found);
  }

  /** Returns the processes of all services that this stack has started itself. */
  public List<ServerProcess> processes() {
    return services.values().stream().flatMap(each -> each.processes().stream()).toList();
  }

  /** Returns whether this stack, or the one whose services it uses, has a service. */
  public boolean has(Service service) {
    return services.containsKey(service) || other.filter(o -> o.has(service)).isPresent();
  }

  /** Returns the version of a release as the build has resolved it. Example: {@code 3.6.2}. */
  public static String versionOf(Release release) {
    return InstalledServers.ofThisBuild().version(release);
  }

  /** Returns the folder of the servers' logs. */
  public Path logs() {
    return files.logs();
  }

  /** Stops every server; returns when no process is left. */
  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(shutdownHook);
    } catch (IllegalStateException shuttingDown) {
      return; // The shutdown hook is running and does the same.
    }
    stopAll();
  }

  /** Stops services that no running service needs, until none is left. */
  private void stopAll() {
    Map<Service, StackService> remaining = new EnumMap<>(Service.class);
    remaining.putAll(services);
    while (!remaining.isEmpty()) {
      Set<Service> needed = EnumSet.noneOf(Service.class);
      for (Service service : remaining.keySet()) {
        needed.addAll(service.requires());
        needed.addAll(service.requiresSecured());
      }
      List<ServerProcess> wave = new ArrayList<>();
      remaining.forEach(
          (name, service) -> {
            if (!needed.contains(name)) {
              wave.addAll(service.processes());
            }
          });
      remaining.keySet().retainAll(needed);
      wave.forEach(ServerProcess::askToStop);
      wave.forEach(ServerProcess::stop);
    }
    watchdog.close();
  }

  private void startAll() {
    ExecutorService executor = Executors.newCachedThreadPool();
    CompletableFuture<Void> failure = new CompletableFuture<>();
    try {
      Map<Service, CompletableFuture<Void>> started = new EnumMap<>(Service.class);
      services.forEach(
          (name, service) -> {
            List<CompletableFuture<Void>> conditions = new ArrayList<>();
            conditions.add(CompletableFuture.runAsync(service::prepare, executor));
            Stream.concat(name.requires().stream(), name.requiresSecured().stream())
                .filter(started::containsKey)
                .forEach(required -> conditions.add(started.get(required)));
            started.put(
                name,
                allOf(conditions)
                    .thenRunAsync(service::start, executor)
                    .whenComplete(
                        (done, error) -> {
                          if (error != null) {
                            failure.completeExceptionally(error);
                          }
                        }));
          });
      CompletableFuture.anyOf(allOf(List.copyOf(started.values())), failure).join();
    } catch (CompletionException e) {
      throw new ServerFailedException("the stack cannot start: " + e.getMessage(), e);
    } finally {
      executor.shutdownNow();
    }
  }

  private static CompletableFuture<Void> allOf(List<CompletableFuture<Void>> futures) {
    return CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new));
  }

  /** Builds a stack. Not safe for use by several threads. */
  public static final class Builder {

    private final Set<Service> wanted = EnumSet.noneOf(Service.class);
    private final Map<String, String> kafkaProperties = new HashMap<>();
    private final Map<String, String> connectProperties = new HashMap<>();
    private final Map<String, String> hdfsProperties = new HashMap<>();
    private final Map<String, String> metastoreProperties = new HashMap<>();
    private final List<String> kafkaJvmOptions = new ArrayList<>();
    private final List<String> connectJvmOptions = new ArrayList<>();
    private final List<PluginArchive> pluginArchives = new ArrayList<>();
    private @Nullable Path directory;
    private Optional<Path> pluginPath = Optional.empty();
    private Releases releases = Releases.USUAL;
    private Optional<LocalStack> other = Optional.empty();
    private Optional<SecurityOptions> security = Optional.empty();
    private int nameNodes = 1;
    private int kafkaBrokers = 1;
    private JavaInstallation connectJava = JavaInstallation.ofThisJvm();
    private int connectWorkers = 1;
    private int connectHeapMegabytes = 1_024;
    private boolean metastoreOnPostgres;
    private boolean recordForcedFiles;

    private Builder() {}

    /**
     * Sets the directory of data, configurations and logs, which is created if necessary. Required.
     */
    public Builder directory(Path directory) {
      this.directory = directory;
      return this;
    }

    /** Adds services, and the services that they need. */
    public Builder with(Service... services) {
      wanted.addAll(Service.withRequired(Set.of(services)));
      return this;
    }

    /** Adds a service that uses those of the other stack: see {@link #beside}. */
    public Builder withOnly(Service service) {
      wanted.add(service);
      return this;
    }

    /**
     * Adds all services except the second registry, which {@code with} can add, and those that only
     * a secured stack has.
     */
    public Builder all() {
      wanted.addAll(
          EnumSet.complementOf(EnumSet.of(Service.SCHEMA_REPO, Service.KDC, Service.KMS)));
      return this;
    }

    /**
     * Secures HDFS, the Metastore, HiveServer2 and Kafka with Kerberos and TLS, and adds a KDC and
     * a KMS. The Connect workers log in to Kafka as {@link SecurityOptions#CONNECT}. This JVM finds
     * the KDC of the last such stack only.
     */
    public Builder secured(SecurityOptions options) {
      security = Optional.of(options);
      wanted.addAll(Set.of(Service.KDC, Service.KMS));
      return this;
    }

    /** Makes HDFS highly available, with two or more name nodes and three journal nodes. */
    public Builder nameNodes(int count) {
      nameNodes = count;
      return this;
    }

    /** Sets properties of all HDFS servers that override those of the stack. */
    public Builder hdfsProperties(Map<String, String> properties) {
      hdfsProperties.putAll(properties);
      return this;
    }

    /**
     * Records what the HDFS servers force to their disks, which {@link ForcedFiles#canBeRecorded}.
     */
    public Builder recordForcedFiles() {
      recordForcedFiles = true;
      return this;
    }

    /** Sets properties of the Metastore that override those of the stack. */
    public Builder metastoreProperties(Map<String, String> properties) {
      metastoreProperties.putAll(properties);
      return this;
    }

    /**
     * Uses another stack's services where this stack does not start its own. The other stack must
     * run longer.
     */
    public Builder beside(LocalStack running) {
      other = Optional.of(running);
      return this;
    }

    /**
     * Sets the number of Kafka brokers. The first of several is the controller and must not stop.
     */
    public Builder kafkaBrokers(int brokers) {
      kafkaBrokers = brokers;
      return this;
    }

    /**
     * Sets broker properties that override those of the stack; {@code listeners} are added to its
     * own.
     */
    public Builder kafkaProperties(Map<String, String> properties) {
      kafkaProperties.putAll(properties);
      return this;
    }

    /** Sets the folder of Connect's plugins, each in a separate folder or archive. */
    public Builder pluginPath(Path folder) {
      pluginPath = Optional.of(folder.toAbsolutePath());
      return this;
    }

    /**
     * Adds an archive, which is unpacked below the stack's directory. If there are archives,
     * Connect has only their plugins.
     */
    public Builder pluginArchive(Path zip) {
      pluginArchives.add(new PluginArchive(zip.toAbsolutePath()));
      return this;
    }

    /**
     * Sets the registry's release; by default {@link RegistryRelease#APICURIO_2}, which runs on
     * this JVM's Java.
     */
    public Builder registryRelease(RegistryRelease release) {
      return releases(releases.with(release));
    }

    /**
     * Sets the releases, by default {@link Releases#USUAL}. Others must have been built with the
     * profile {@code versions}.
     */
    public Builder releases(Releases wanted) {
      releases = wanted;
      return this;
    }

    /** Lets the Metastore use a PostgreSQL server, which must be {@link Postgres#installed}. */
    public Builder metastoreOnPostgres() {
      metastoreOnPostgres = true;
      return this;
    }

    /** Sets the Java of the workers, by default that of this JVM. */
    public Builder connectJava(JavaInstallation java) {
      connectJava = java;
      return this;
    }

    public Builder connectWorkers(int workers) {
      connectWorkers = workers;
      return this;
    }

    /** Sets the maximum heap of each worker in MiB. */
    public Builder connectHeapMegabytes(int megabytes) {
      connectHeapMegabytes = megabytes;
      return this;
    }

    /** Sets worker properties that override those of the stack. */
    public Builder connectProperties(Map<String, String> properties) {
      connectProperties.putAll(properties);
      return this;
    }

    /**
     * Lets brokers and workers use the JVM's first compiler only, as the other servers do. They
     * start faster, and are slower under load.
     */
    public Builder firstCompilerOnly() {
      kafkaJvmOptions.add(JavaCommand.FIRST_COMPILER);
      return connectJvmOptions(JavaCommand.FIRST_COMPILER);
    }

    /** Sets options for the JVM of each broker. */
    public Builder kafkaJvmOptions(String... options) {
      kafkaJvmOptions.addAll(List.of(options));
      return this;
    }

    /** Sets options for the JVM of each worker. */
    public Builder connectJvmOptions(String... options) {
      connectJvmOptions.addAll(List.of(options));
      return this;
    }

    /**
     * Lets the JVM of the only worker listen for a debugger on a port of the loopback interface.
     *
     * @throws ServerFailedException if the port is taken
     */
    public Builder connectDebugPort(int port) {
      if (!FreePorts.isFree(port)) {
        throw new ServerFailedException(
            "connect-1: port %d for the debugger is taken by another program. Choose another port."
                .formatted(port));
      }
      return connectJvmOptions(
          "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:" + port);
    }

    /**
     * Starts all services, independent ones at the same time, and returns when all answer.
     *
     * @throws ServerFailedException if a server does not start, with the end of its log; all others
     *     are then stopped
     */
    public LocalStack start() {
      if (directory == null) {
        throw new IllegalStateException("a stack needs a directory for its files: directory(path)");
      }
      LocalStack stack = new LocalStack(new StackFiles(directory), other);
      Runtime.getRuntime().addShutdownHook(stack.shutdownHook);
      boolean started = false;
      try {
        assemble(stack);
        stack.startAll();
        started = true;
        return stack;
      } finally {
        if (!started) {
          stack.close();
        }
      }
    }

    private void assemble(LocalStack stack) {
      InstalledServers servers = InstalledServers.ofThisBuild();
      pluginArchives.forEach(archive -> archive.unpackInto(stack.files.plugins()));
      Optional<Path> plugins =
          pluginArchives.isEmpty() ? pluginPath : Optional.of(stack.files.plugins());
      Optional<Security> secured = security.map(options -> Security.of(options, stack.files));
      for (Service service : wanted) {
        stack.services.put(
            service,
            switch (service) {
              case KDC -> new Kdc(servers, stack.files, stack.watchdog, secured.orElseThrow());
              case KMS -> new Kms(servers, stack.files, stack.watchdog, secured.orElseThrow());
              case KAFKA ->
                  new KafkaCluster(
                      servers,
                      stack.files,
                      stack.watchdog,
                      releases.brokers(),
                      KafkaSettings.of(kafkaBrokers, secured, kafkaProperties, kafkaJvmOptions));
              case REGISTRY ->
                  new SchemaRegistryServer(
                      servers, stack.files, stack.watchdog, releases.registry());
              case SCHEMA_REPO -> new SchemaRepoServer(servers, stack.files, stack.watchdog);
              case HDFS ->
                  new Hdfs(
                      servers,
                      stack.files,
                      stack.watchdog,
                      releases.hdfs(),
                      HdfsSettings.of(nameNodes, secured, hdfsProperties),
                      recordForcedFiles);
              case METASTORE ->
                  new HiveMetastore(
                      servers,
                      stack.files,
                      stack.hdfs(),
                      stack.watchdog,
                      releases.metastore(),
                      metastoreOnPostgres,
                      metastoreProperties);
              case HIVE_SERVER ->
                  new HiveServer(
                      servers, stack.files, stack.hdfs(), stack.metastore(), stack.watchdog);
              case CONNECT ->
                  new ConnectCluster(
                      servers,
                      stack.files,
                      stack.watchdog,
                      stack.kafka(),
                      new ConnectSettings(
                          releases.workers(),
                          connectJava,
                          connectWorkers,
                          connectHeapMegabytes,
                          plugins,
                          connectProperties,
                          connectJvmOptions));
            });
      }
    }
  }
}
