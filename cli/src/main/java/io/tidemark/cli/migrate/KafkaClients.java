package io.tidemark.cli.migrate;

import java.util.List;
import java.util.Optional;

/** Adds the settings of the connector's own Kafka client, and the isolation level. */
final class KafkaClients {
  private static final String SERVERS = "bootstrap.servers";
  private static final String OWN = "kafka.";
  private static final String ISOLATION = "consumer.override.isolation.level";

  private static final String RESET = "consumer.override.auto.offset.reset";
  private static final String GROUP = "consumer.override.group.id";

  /** Prefixes of the settings of other clients of the same cluster. */
  private static final List<String> CLIENTS =
      List.of("consumer.override.", "confluent.topic.", "reporter.", "");

  private KafkaClients() {}

  static void apply(Draft draft) {
    Optional<String> known = draft.take(OWN + SERVERS);
    known.ifPresent(servers -> draft.keep(OWN + SERVERS, servers));
    for (String prefix : CLIENTS) {
      Optional<String> servers = draft.peek(prefix + SERVERS);
      if (servers.isPresent() && !draft.has(OWN + SERVERS)) {
        draft.keep(OWN + SERVERS, servers.get());
        draft.check(OWN + SERVERS, Draft.text("kafka.found", prefix + SERVERS));
      }
    }
    draft.take(SERVERS).ifPresent(unused -> draft.change(SERVERS, Draft.text("bootstrap")));
    if (!draft.has(OWN + SERVERS)) {
      draft.need(OWN + SERVERS, "kafka:9092", Draft.text("kafka"));
    }
    CLIENTS.stream()
        .filter(prefix -> !prefix.isEmpty() && isSecured(draft, prefix))
        .findFirst()
        .ifPresent(prefix -> copySecurity(draft, prefix));
    if (draft.peek(RESET).filter(reset -> !reset.trim().equals("earliest")).isPresent()) {
      draft.check(RESET, Draft.text("reset"));
    }
    if (draft.peek(GROUP).isPresent()) {
      draft.check(GROUP, Draft.text("group"));
    }
    if (draft.peek(ISOLATION).isEmpty()) {
      draft.set(ISOLATION, "read_committed", Draft.text(ISOLATION));
    }
  }

  private static boolean isSecured(Draft draft, String prefix) {
    return draft.left().stream().anyMatch(key -> isSecurity(key, prefix));
  }

  private static boolean isSecurity(String key, String prefix) {
    return key.equals(prefix + "security.protocol")
        || key.startsWith(prefix + "sasl.")
        || key.startsWith(prefix + "ssl.");
  }

  private static void copySecurity(Draft draft, String prefix) {
    for (String key : draft.left()) {
      if (!isSecurity(key, prefix)) {
        continue;
      }
      String name = OWN + key.substring(prefix.length());
      if (draft.peek(name).isEmpty()) {
        draft.peek(key).ifPresent(value -> draft.keep(name, value));
        draft.change(name, Draft.text("kafka.security", key));
      }
    }
  }
}
