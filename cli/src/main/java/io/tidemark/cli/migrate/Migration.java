package io.tidemark.cli.migrate;

import io.tidemark.cli.deployment.CommandFailure;
import io.tidemark.cli.deployment.ConnectorServices;
import io.tidemark.cli.deployment.ConnectorServices.OldKey;
import io.tidemark.store.PrintableText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * The migration of another sink's configuration, in steps: first renames by the rules of the sink,
 * then settings that depend on each other, then each remaining key by a rule. At the end the
 * connector's own validation checks the result.
 */
public final class Migration {
  private static final String CONNECTOR = "io.tidemark.connect.TidemarkSinkConnector";
  private static final String TOLERANCE = "errors.tolerance";
  private static final String METASTORE_PRINCIPAL = "hive.metastore.kerberos.principal";
  private static final String DEAD_LETTERS = "errors.deadletterqueue.topic.name";

  private static final Map<String, String> ZONES =
      Map.of("EST", "Etc/GMT+5", "MST", "Etc/GMT+7", "HST", "Etc/GMT+10", "ROC", "Asia/Taipei");

  /** Keys of files on the workers, which validation on this machine does not find. */
  private static final Set<String> FILES_OF_WORKERS =
      Set.of("hadoop.conf.dir", "connect.hdfs.keytab", "hive.metastore.truststore.path");

  private final Draft draft;
  private final OldSink sink;
  private final List<Rule> rules;

  private Migration(Draft draft, OldSink sink) {
    this.draft = draft;
    this.sink = sink;
    rules = new ArrayList<>(Rule.read(sink.rules()));
    rules.addAll(Rule.read("common"));
  }

  /**
   * Migrates a configuration.
   *
   * @param given values of the operator for keys of the new configuration
   */
  public static MigrationReport of(OldConfig old, Map<String, String> given) throws CommandFailure {
    OldSink sink = OldSink.of(old.connectorClass());
    Draft draft = new Draft(old.settings(), given);
    new Migration(draft, sink).run();
    return draft.report(sink, new io.tidemark.cli.adopt.OldSink(old.settings()).isKnown());
  }

  private void run() {
    draft.take("connector.class");
    draft.set("connector.class", CONNECTOR, Draft.text("connector.class"));
    zone();
    if (sink.rules().equals("iceberg")) {
      IcebergTables.apply(draft);
    }
    Kcql.apply(draft, sink);
    renames();
    Converters.apply(draft);
    KafkaClients.apply(draft);
    Directories.apply(draft, sink);
    Partitions.apply(draft, sink);
    Batches.apply(draft);
    Transforms.apply(draft);
    defaults();
    remaining();
    validation();
  }

  /** Joda's names of zones that Java does not have. */
  private void zone() {
    Optional.ofNullable(ZONES.get(draft.peek("timezone").orElse("").trim()))
        .ifPresent(
            zone -> {
              draft.take("timezone");
              draft.set("timezone", zone, Draft.text("timezone"));
            });
  }

  private void renames() {
    for (String key : draft.left()) {
      rule(key)
          .filter(rule -> rule.action() == Rule.Action.AS)
          .ifPresent(rule -> draft.rename(key, rule.renamed(key), rule.text()));
    }
  }

  private Optional<Rule> rule(String key) {
    return rules.stream().filter(rule -> rule.isOf(key)).findFirst();
  }

  /** Writes down defaults of the old sink that differ, and replaces what validation rejects. */
  private void defaults() {
    if (sink.isConfluents() && draft.peek("avro.codec").isEmpty()) {
      draft.set("avro.codec", "null", Draft.text("avro.codec"));
    }
    boolean tolerates =
        draft.peek(TOLERANCE).filter(value -> value.trim().equals("all")).isPresent();
    if (tolerates && draft.peek(DEAD_LETTERS).orElse("").isBlank()) {
      draft.take(DEAD_LETTERS);
      String name = draft.peek("name").orElse("tidemark") + "-dead-letters";
      draft.set(DEAD_LETTERS, name, Draft.text("dead.letters"));
    }
    if (draft.peek("hive.integration").filter("true"::equalsIgnoreCase).isPresent()
        && draft.peek("hive.metastore.uris").isEmpty()) {
      draft.need("hive.metastore.uris", "thrift://metastore:9083", Draft.text("metastore"));
    }
    if (draft.peek("hive.integration").filter("true"::equalsIgnoreCase).isPresent()
        && draft.peek("hdfs.authentication.kerberos").filter("true"::equalsIgnoreCase).isPresent()
        && draft.peek(METASTORE_PRINCIPAL).isEmpty()) {
      draft.check(METASTORE_PRINCIPAL, Draft.text("kerberos.metastore"));
    }
  }

  private void remaining() {
    for (String key : draft.left()) {
      String value = draft.take(key).orElseThrow();
      Optional<Rule> rule = rule(key);
      if (rule.isPresent()) {
        apply(rule.get(), key, value);
        continue;
      }
      Optional<OldKey> old = ConnectorServices.oldKey(key, value);
      if (old.isEmpty() && !ConnectorServices.isKey(key)) {
        draft.unknown(key);
      } else if (old.isEmpty() || old.get() == OldKey.KEPT) {
        draft.keep(key, value);
      } else if (old.get() == OldKey.NOT_NEEDED) {
        draft.change(key, Draft.text("left.out", ConnectorServices.textOfOldKey(key)));
      } else {
        draft.lost(key, ConnectorServices.textOfOldKey(key));
      }
    }
  }

  private void apply(Rule rule, String key, String value) {
    switch (rule.action()) {
      case KEEP, AS -> draft.keep(key, value);
      case DROP -> draft.change(key, Draft.text("left.out", rule.text()));
      case NONE -> {
        if (rule.harmless().filter(value.trim()::equals).isPresent()) {
          draft.change(key, Draft.text("left.out", Draft.text("harmless")));
        } else {
          draft.lost(key, rule.text());
        }
      }
    }
  }

  /** Checks the keys that Connect checks. */
  private void framework(Map<String, String> settings) {
    String tasks = settings.getOrDefault("tasks.max", "1").trim();
    if (!Draft.isProvided(tasks) && !tasks.matches("0*[1-9][0-9]{0,8}")) {
      draft.error("tasks.max", Draft.text("tasks.max", PrintableText.of(tasks)));
    }
    try {
      Pattern unused = Pattern.compile(settings.getOrDefault("topics.regex", ""));
    } catch (PatternSyntaxException e) {
      draft.error("topics.regex", PrintableText.messageOf(e));
    }
  }

  private void validation() {
    Map<String, String> settings = new HashMap<>(draft.settings());
    FILES_OF_WORKERS.forEach(settings::remove);
    settings.keySet().removeIf(key -> key.startsWith("schema.registry.ssl."));
    framework(settings);
    // Its placeholder is not one of a topic, as validation would read it.
    settings.computeIfPresent(
        "hive.database", (key, value) -> Draft.isProvided(value) ? null : value);
    ConnectorServices.problems(settings)
        .forEach(
            (key, problems) -> {
              boolean provided = Draft.isProvided(settings.getOrDefault(key, ""));
              if (!provided && !FILES_OF_WORKERS.contains(key)) {
                draft.error(key, String.join(" ", problems));
              }
            });
    draft
        .settings()
        .forEach(
            (key, value) -> {
              if (Draft.isProvided(value) && ConnectorServices.isKey(key)) {
                draft.change(key, Draft.text("provided"));
              }
            });
  }
}
