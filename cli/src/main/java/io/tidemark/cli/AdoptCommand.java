package io.tidemark.cli;

import io.tidemark.cli.adopt.AdoptServices;
import io.tidemark.cli.adopt.Adopter;
import io.tidemark.cli.adopt.Adoption;
import io.tidemark.cli.adopt.AdoptionReport;
import io.tidemark.cli.adopt.AdoptionText;
import io.tidemark.cli.adopt.Consents;
import io.tidemark.cli.adopt.Decision.Verdict;
import io.tidemark.cli.adopt.KafkaOffsets;
import io.tidemark.cli.adopt.OldGroup;
import io.tidemark.cli.adopt.OldSink;
import io.tidemark.cli.adopt.Successor;
import io.tidemark.cli.adopt.WayBack;
import io.tidemark.cli.deployment.CommandFailure;
import io.tidemark.cli.deployment.ConnectorServices;
import io.tidemark.cli.deployment.Deployment;
import io.tidemark.cli.deployment.ExitCode;
import io.tidemark.cli.migrate.Migration;
import io.tidemark.cli.migrate.MigrationReport;
import io.tidemark.cli.migrate.OldConfig;
import io.tidemark.store.PrintableText;
import io.tidemark.store.Storage;
import io.tidemark.store.commit.TopicMetadata;
import io.tidemark.store.log.LogRefusedException;
import io.tidemark.store.schema.SchemaConflictException;
import io.tidemark.store.table.ReadOnlyCatalog;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tidemark adopt}: continues in the tables of Confluent's HDFS 2 sink. */
@Command(
    name = "adopt",
    mixinStandardHelpOptions = true,
    description = {
      "Lets a new connector continue where Confluent's HDFS 2 sink ended, in the same directories, with the old files as they are. Stop the old connector first. Start the new one afterwards.",
      "Without --execute it only reports each topic-partition: files, offsets, gaps, what the old logs say, what is unfinished, and why something cannot be adopted.",
      "Exit codes: 0 adopted, or it can be; 1 it can be after the connectors are stopped; 2 wrong usage or configuration; 3 something must be changed first; 4 a service is unavailable."
    })
final class AdoptCommand implements Callable<Integer> {
  private static final int THREADS = 16;

  /** The partitioner's settings, which {@code tidemark migrate} translates. */
  private static final List<String> LAYOUT_KEYS =
      List.of(
          "partitioner.class",
          "partition.field.name",
          "path.format",
          "partition.duration.ms",
          "timezone",
          "locale");

  @Parameters(
      index = "0",
      paramLabel = "OLD.json",
      description = "the old connector's configuration, as Connect's REST API prints it")
  private Path oldFile = Path.of("");

  @Parameters(
      index = "1",
      paramLabel = "NEW.json",
      description = "the new connector's configuration, with its name; see tidemark migrate")
  private Path newFile = Path.of("");

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description =
          "override a key of the new configuration, such as a secret of the worker; may be repeated")
  private Map<String, String> set = new LinkedHashMap<>();

  @Option(
      names = "--topic",
      paramLabel = "TOPIC",
      description = "adopt only this topic of the old connector; may be repeated")
  private Set<String> only = new LinkedHashSet<>();

  @Option(
      names = "--names-only",
      description = "do not read each file: compare only names and lengths")
  private boolean namesOnly;

  @Option(
      names = "--accept-missing-files",
      description = "files of the last commit were removed on purpose")
  private boolean missingFiles;

  @Option(
      names = "--accept-lost-records",
      description = "records that Kafka deleted before they were committed are lost")
  private boolean lostRecords;

  @Option(
      names = "--move-to-hive-directories",
      description =
          "move files whose values Hive escapes, such as those of city=50%%, or whose fields have"
              + " capital letters, to the directories in which Hive looks (city=50%%25)")
  private boolean moves;

  @Option(
      names = "--remove-temporary-files",
      description = "at the end, remove the adopted topics' directories in topics.dir/+tmp")
  private boolean removeTemporary;

  @Option(
      names = "--back",
      description =
          "print what must be written so that the old sink continues after the new connector; with"
              + " --execute, write the files, but not the offsets")
  private boolean back;

  @Option(
      names = "--worker-properties",
      paramLabel = "FILE",
      description = "the worker's properties, whose config.providers resolve secrets of NEW.json")
  private Optional<Path> workerProperties = Optional.empty();

  @Option(names = "--execute", description = "adopt; without it nothing is changed")
  private boolean execute;

  private final Console console;
  private final AdoptServices services;

  AdoptCommand(Console console, AdoptServices services) {
    this.console = console;
    this.services = services;
  }

  @Override
  public Integer call() throws Exception {
    OldConfig oldConfig = OldConfig.read(oldFile);
    OldSink sink = new OldSink(oldConfig.settings());
    if (sink.name().isBlank()) {
      throw usage(oldFile, "it has no name", "Add the connector's name: {\"name\": …, …}.");
    }
    if (!sink.refusals().isEmpty()) {
      return refused(new AdoptionReport(sink.name(), sink.refusals(), List.of()));
    }
    ConnectorServices connector = connector();
    ConnectorServices migrated = migrated(oldConfig);
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try (Storage storage = connector.openStorage();
        OldGroup group = group(connector);
        Catalog catalog = new Catalog(connector, services)) {
      Successor successor = new Successor(connector, migrated, catalog.opened(), threads);
      Optional<Running> running = running(group, sink, successor);
      if (running.isPresent() && (back || execute)) {
        throw running.get().failure(ExitCode.OPERATOR);
      }
      if (back) {
        back(new WayBack(storage, sink, successor));
        return ExitCode.YES.number();
      }
      Set<String> topics = new LinkedHashSet<>();
      KafkaOffsets kafka =
          group.offsets(
              sink.consumerGroup(),
              existing -> {
                topics.addAll(sink.topics(existing));
                return selected(topics);
              });
      requireTopics(topics);
      Set<String> others = new LinkedHashSet<>(topics);
      others.removeAll(selected(topics));
      AdoptionReport report =
          new Adoption(
                  storage,
                  sink,
                  kafka,
                  consents(),
                  namesOnly ? Optional.empty() : Optional.of(threads),
                  Optional.of(successor),
                  new Adoption.Scope(others, running.isPresent()))
              .examine();
      boolean refused = report.verdict() == Verdict.REFUSED;
      if (running.isEmpty() && refused) {
        return refused(report);
      }
      console.print(AdoptionText.lines(report));
      if (running.isPresent()) {
        throw running.get().failure(refused ? ExitCode.OPERATOR : ExitCode.NOT_YET);
      }
      if (!execute) {
        console.print(List.of("Nothing was changed. Add --execute to adopt."));
        return ExitCode.YES.number();
      }
      execute(storage, sink, successor, report);
      return ExitCode.YES.number();
    } finally {
      threads.shutdownNow();
    }
  }

  private int refused(AdoptionReport report) {
    console.print(AdoptionText.lines(report));
    console.print(List.of("Nothing was changed. Change what is REFUSED, or select --topic."));
    return ExitCode.OPERATOR.number();
  }

  private Consents consents() {
    return new Consents(missingFiles, lostRecords, moves);
  }

  private void back(WayBack way) throws Exception {
    List<WayBack.Step> steps = new ArrayList<>(way.steps());
    requireTopics(steps.stream().map(each -> each.topicPartition().topic()).toList());
    steps.removeIf(each -> !only.isEmpty() && !only.contains(each.topicPartition().topic()));
    console.print(way.lines(steps));
    if (!execute) {
      console.print(List.of("Nothing was changed. Add --execute to write the files."));
      return;
    }
    way.write(steps);
    console.print(
        List.of(
            "The files are written. Set the offsets, delete the new connector, and start the old one."));
  }

  private void execute(Storage storage, OldSink sink, Successor successor, AdoptionReport report)
      throws Exception {
    try (TopicMetadata topics = services.topics(successor.connector())) {
      new Adopter(
              storage,
              sink,
              successor,
              topics,
              console.clock(),
              line -> console.print(List.of(PrintableText.line(line))))
          .adopt(report, consents(), removeTemporary);
    } catch (LogRefusedException | SchemaConflictException e) {
      throw new CommandFailure(ExitCode.OPERATOR, PrintableText.messageOf(e), e);
    }
    console.print(
        List.of(
            "Done. %s Then start the new one, %s."
                .formatted(
                    only.isEmpty()
                        ? "Delete the old connector, so that it is never started again."
                        : "Remove these topics from the topics of the old connector before it starts again.",
                    PrintableText.of(successor.connector().connectorName()))));
  }

  private Set<String> selected(Set<String> topics) {
    Set<String> selected = new LinkedHashSet<>(topics);
    if (!only.isEmpty()) {
      selected.retainAll(only);
    }
    return selected;
  }

  private OldGroup group(ConnectorServices connector) throws CommandFailure {
    try {
      return services.group(connector);
    } catch (KafkaException e) {
      throw new CommandFailure(
          ExitCode.UNKNOWN,
          "%s: a client of Kafka cannot be made: %s. Check kafka.bootstrap.servers and the other keys kafka.* of the new configuration, and whether this machine resolves the brokers' names."
              .formatted(
                  PrintableText.of(newFile.toString()),
                  PrintableText.of(e.getCause() == null ? e : e.getCause())),
          e);
    }
  }

  private void requireTopics(Collection<String> existing) throws CommandFailure {
    Set<String> missing = new LinkedHashSet<>(only);
    existing.forEach(missing::remove);
    if (!missing.isEmpty()) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "--topic %s: the old connector has no such topic. Correct it."
              .formatted(PrintableText.of(missing.toString())));
    }
  }

  /** Returns why nothing can be changed now: one of the two connectors runs. */
  private static Optional<Running> running(OldGroup group, OldSink sink, Successor successor)
      throws CommandFailure, InterruptedException {
    for (String each :
        new LinkedHashSet<>(List.of(sink.consumerGroup(), successor.connector().consumerGroup()))) {
      List<String> members = group.members(each);
      if (!members.isEmpty()) {
        return Optional.of(
            new Running(
                "the consumer group %s has members: %s. A connector runs, and would write to the same directories. Stop it (PUT /connectors/NAME/stop, or DELETE), wait until the group has no member, and repeat."
                    .formatted(PrintableText.of(each), PrintableText.of(members.toString()))));
      }
    }
    return Optional.empty();
  }

  /** Why nothing can be changed now. */
  private record Running(String problem) {
    CommandFailure failure(ExitCode code) {
      return new CommandFailure(code, problem);
    }
  }

  /** The Metastore, if the new connector uses it. */
  private record Catalog(Optional<ReadOnlyCatalog> opened) implements AutoCloseable {
    Catalog(ConnectorServices connector, AdoptServices services) {
      this(connector.hasCatalog() ? Optional.of(services.catalog(connector)) : Optional.empty());
    }

    @Override
    public void close() {
      opened.ifPresent(ReadOnlyCatalog::close);
    }
  }

  private Map<String, String> settings() throws CommandFailure {
    Map<String, String> settings = new LinkedHashMap<>(OldConfig.read(newFile).settings());
    settings.putAll(set);
    if (settings.getOrDefault("name", "").isBlank()) {
      throw usage(newFile, "it has no name", "Add the connector's name, or --set name=NAME.");
    }
    if (workerProperties.isPresent()) {
      settings.putAll(Deployment.resolved(settings, workerProperties.get()));
    }
    Deployment.requireResolved(
        PrintableText.of(newFile.toString()),
        settings,
        settings.keySet().stream().filter(ConnectorServices::isNeededByCommands).toList());
    return settings;
  }

  private ConnectorServices connector() throws CommandFailure {
    return services(
        settings(), newFile, "the configuration is invalid", "Correct it, or add --set");
  }

  /** Returns the new connector with the old one's partitioner. */
  private ConnectorServices migrated(OldConfig oldConfig) throws CommandFailure {
    Map<String, String> settings = settings();
    MigrationReport migration = Migration.of(oldConfig, Map.of());
    if (!migration.blocked().isEmpty()) {
      throw new CommandFailure(
          ExitCode.OPERATOR,
          "%s: the new connector cannot continue. %s"
              .formatted(
                  PrintableText.of(oldFile.toString()), String.join(" ", migration.blocked())));
    }
    Map<String, String> translated = migration.settings();
    for (String key : LAYOUT_KEYS) {
      settings.remove(key);
      if (translated.containsKey(key)) {
        settings.put(key, translated.getOrDefault(key, ""));
      }
    }
    return services(
        settings,
        oldFile,
        "its directories cannot be those of a table of Tidemark",
        "Begin a new table beside the old one, with another topics.dir and hive.table.name. Or, if"
            + " the cause is a key of the new configuration, add --set");
  }

  private static ConnectorServices services(
      Map<String, String> settings, Path file, String problem, String cure) throws CommandFailure {
    try {
      return new ConnectorServices(settings);
    } catch (ConfigException | IllegalArgumentException e) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "%s: %s: %s. %s KEY=VALUE."
              .formatted(
                  PrintableText.of(file.toString()), problem, PrintableText.messageOf(e), cure),
          e);
    }
  }

  private static CommandFailure usage(Path file, String problem, String cure) {
    return new CommandFailure(
        ExitCode.USAGE, "%s: %s. %s".formatted(PrintableText.of(file.toString()), problem, cure));
  }
}
