package io.tidemark.cli.migrate;

import io.tidemark.store.PrintableText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Handles the store's URL, and the directories below it. */
final class Directories {
  private static final String STORE = "store.url";
  private static final String PLACEHOLDER = "hdfs://name-node:8020";
  private static final String TOPICS = "topics.dir";
  private static final String LOGS = "logs.dir";

  private Directories() {}

  static void apply(Draft draft, OldSink sink) {
    Optional<String> alias = draft.take("hdfs.url");
    alias.ifPresent(url -> draft.change("hdfs.url", Draft.text("hdfs.url")));
    String url = draft.take(STORE).or(() -> alias).orElse("").trim();
    String root = "";
    if (url.startsWith("hdfs://") && !Draft.isProvided(url)) {
      String authority = url.substring("hdfs://".length()).replaceFirst("/.*", "");
      root = relative(url.substring("hdfs://".length() + authority.length()));
      if (authority.isEmpty()) {
        draft.need(STORE, PLACEHOLDER, Draft.text(STORE)); // hdfs:///path: see core-site.xml.
      } else {
        draft.keep(STORE, "hdfs://" + authority);
      }
    } else if (Draft.isProvided(url) || url.startsWith("file:")) {
      draft.keep(STORE, url);
    } else {
      draft.need(STORE, PLACEHOLDER, Draft.text(STORE));
      if (!url.isEmpty() || sink.writesObjects()) {
        String shown = url.isEmpty() ? "" : " (" + PrintableText.withoutCredentials(url) + ")";
        draft.blocked(STORE + shown, Draft.text("other.store"));
      }
    }
    topics(draft, root);
    logs(draft, root);
    String above = draft.made(LOGS).replaceFirst("/?[^/]*$", "");
    if (!root.isEmpty()) {
      draft.set("ledger.dir", root + "/ledger", Draft.text("root", root));
    } else if (!above.isEmpty() && !above.contains("${") && !above.equals(draft.made(TOPICS))) {
      draft.set("ledger.dir", above + "/ledger", Draft.text("ledger.dir"));
    }
  }

  private static void topics(Draft draft, String root) {
    Optional<String> old = draft.take(TOPICS);
    String path = below(root, relative(old.orElse("topics")));
    if (old.filter(Draft::isProvided).isPresent()) {
      draft.keep(TOPICS, old.get());
    } else if (path.isEmpty() || path.contains("${")) {
      // The old sink's directory of a topic is topics.dir/TOPIC, also with placeholders, or at the
      // root of the store.
      draft.keep("hive.table.location", (path.isEmpty() ? "" : "/" + path) + "/${topic}");
      draft.renamed(TOPICS, "hive.table.location", Draft.text("topics.location"));
    } else {
      put(draft, TOPICS, old, path);
    }
  }

  private static void logs(Draft draft, String root) {
    Optional<String> old = draft.take(LOGS);
    if (old.filter(Draft::isProvided).isPresent()) {
      draft.keep(LOGS, old.get());
      return;
    }
    List<String> fixed = new ArrayList<>();
    for (String component : relative(old.orElse("logs")).split("/", -1)) {
      if (component.isEmpty() || component.contains("${")) {
        break;
      }
      fixed.add(component);
    }
    put(draft, LOGS, old, below(root, fixed.isEmpty() ? "logs" : String.join("/", fixed)));
  }

  private static void put(Draft draft, String key, Optional<String> old, String path) {
    if (old.filter(path::equals).isPresent()) {
      draft.keep(key, path);
    } else if (old.isPresent() || !path.equals(key.replace(".dir", ""))) {
      draft.set(key, path, Draft.text("directory"));
    }
  }

  private static String below(String root, String path) {
    return root.isEmpty() || path.isEmpty() ? root + path : root + "/" + path;
  }

  private static String relative(String path) {
    return path.trim().replaceAll("/+", "/").replaceAll("^/|/$", "");
  }
}
