package io.tidemark.cli.migrate;

import io.tidemark.cli.deployment.ConnectorServices;
import io.tidemark.store.IndentedTexts;
import java.util.Map;

/** Replaces the converters, and takes the registry's settings out of the Avro converter's. */
final class Converters {
  private static final String RAW = "org.apache.kafka.connect.converters.ByteArrayConverter";
  private static final String VALUE = "value.converter";
  private static final String URL = "schema.registry.url";

  /** Converters of other formats than Avro, with what that means. */
  private static final Map<String, String> OTHERS =
      IndentedTexts.read(Converters.class, "converters.txt");

  private Converters() {}

  static void apply(Draft draft) {
    String old = draft.take(VALUE).orElse("").trim();
    String simple = old.substring(old.lastIndexOf('.') + 1);
    if (old.isEmpty()) {
      draft.check(VALUE, Draft.text("worker.converter"));
    } else if (OTHERS.containsKey(simple)) {
      draft.blocked(VALUE + "=" + old, OTHERS.get(simple));
    } else if (!old.equals("io.confluent.connect.avro.AvroConverter") && !old.equals(RAW)) {
      draft.check(VALUE, Draft.text("unknown.converter", old));
    }
    for (String part : new String[] {"key", "value", "header"}) {
      draft.take(part + ".converter");
      draft.set(part + ".converter", RAW, Draft.text(part + ".converter"));
    }
    for (String key : draft.left()) {
      if (key.startsWith(VALUE + ".")) {
        registryKey(draft, key);
      }
    }
    draft.take(URL).ifPresent(url -> draft.keep(URL, url));
    if (!draft.has(URL)) {
      draft.need(URL, "http://schema-registry:8081", Draft.text(URL));
    }
  }

  /** Handles {@code value.converter.schema.registry.url} and others of the Avro converter. */
  private static void registryKey(Draft draft, String key) {
    String bare = key.substring(VALUE.length() + 1);
    // Earlier releases: value.converter.schema.registry.basic.auth.user.info
    String shorter = bare.replaceFirst("^schema\\.registry\\.(?=basic\\.|bearer\\.)", "");
    for (String name : new String[] {shorter, bare}) {
      if (ConnectorServices.isRegistryKey(name) && !draft.has(name)) {
        draft.take(key).ifPresent(value -> draft.keep(name, value));
        draft.renamed(key, name, Draft.text("registry"));
        return;
      }
    }
  }
}
