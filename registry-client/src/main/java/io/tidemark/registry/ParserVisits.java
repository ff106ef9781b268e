package io.tidemark.registry;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.SchemaParseException;

/**
 * Counts what Avro's parser visits. For each named type it visits all types that this one contains,
 * directly or in other types, once. So 5,000 records of which each contains the next, in a text of
 * 400 KB, are 12 million visits, which take half a minute.
 */
final class ParserVisits {

  /**
   * At 0.2 to 2 µs each, less than a minute on a slow machine. A legal schema may need many: 700
   * records with 15 nullable fields of each other's types, 0.6 MB as generated from FHIR, need 23
   * million.
   */
  static final long MOST = 30_000_000;

  /** The maximum size of all full names: a parser keeps one for each type and for each alias. */
  static final long MOST_NAME_CHARS = 1 << 24;

  /** A shorter text has fewer visits, and shorter names. */
  private static final int SHORT_TEXT = 1 << 13;

  private static final int ROOT = 0;
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Set<String> NAMED = Set.of("record", "error", "enum", "fixed");

  private final List<Body> bodies = new ArrayList<>();
  private final Map<String, Integer> numbers = new HashMap<>();
  private long nameChars;

  /** A named type, or the text as a whole: the names of types in it, and the number of types. */
  private static final class Body {
    final List<String> names = new ArrayList<>();
    int size = 1;
  }

  private ParserVisits() {
    bodies.add(new Body());
  }

  /**
   * Returns whether a schema's text needs more visits than {@link #MOST}.
   *
   * @throws SchemaParseException if its full names need more than {@link #MOST_NAME_CHARS}
   */
  static boolean areTooMany(String text) {
    if (text.length() < SHORT_TEXT) {
      return false;
    }
    ParserVisits visits = new ParserVisits();
    try {
      visits.add(JSON.readTree(text), "", ROOT);
    } catch (JsonProcessingException e) {
      return false; // Avro's parser reports the fault.
    }
    return visits.exceed(MOST);
  }

  private void add(JsonNode type, String namespace, int owner) {
    Body body = bodies.get(owner);
    body.size++;
    if (type.isTextual()) {
      body.names.add(fullName(type.textValue(), namespace));
    } else if (type.isArray()) {
      type.forEach(branch -> add(branch, namespace, owner));
    } else if (type.path("type").isTextual() && NAMED.contains(type.path("type").textValue())) {
      addNamed(type, namespace, body);
    } else {
      for (String place : List.of("type", "items", "values")) {
        if (type.has(place)) {
          add(type.get(place), namespace, owner);
        }
      }
    }
  }

  private void addNamed(JsonNode type, String enclosing, Body owner) {
    String namespace = type.path("namespace").asText(enclosing);
    String name = fullName(type.path("name").asText(), namespace);
    owner.names.add(name);
    int number = bodies.size();
    numbers.put(name, number);
    bodies.add(new Body());
    String space = name.substring(0, Math.max(0, name.lastIndexOf('.')));
    count((long) space.length() * type.path("aliases").size());
    for (JsonNode field : type.path("fields")) {
      add(field.path("type"), space, number);
    }
  }

  private String fullName(String name, String namespace) {
    if (name.contains(".") || namespace.isEmpty() || isPrimitive(name)) {
      return name;
    }
    count(namespace.length());
    return namespace + "." + name;
  }

  private void count(long chars) {
    nameChars += chars;
    if (nameChars > MOST_NAME_CHARS) {
      throw new SchemaParseException(
          "its full names have more than %d characters, because a namespace is long"
              .formatted(MOST_NAME_CHARS));
    }
  }

  private static boolean isPrimitive(String name) {
    for (Schema.Type type : Schema.Type.values()) {
      if (type.getName().equals(name)) {
        return true;
      }
    }
    return false;
  }

  private boolean exceed(long most) {
    long all = bodies.stream().mapToLong(body -> body.size).sum();
    if (all * bodies.size() <= most) {
      return false;
    }
    int[] visitedFor = new int[bodies.size()];
    long visits = 0;
    for (int root = ROOT + 1; root < bodies.size(); root++) {
      Deque<Integer> open = new ArrayDeque<>(List.of(root));
      visitedFor[root] = root;
      while (!open.isEmpty()) {
        Body body = bodies.get(open.pop());
        visits += body.size;
        if (visits > most) {
          return true;
        }
        for (String name : body.names) {
          Integer number = numbers.get(name);
          if (number != null && visitedFor[number] != root) {
            visitedFor[number] = root;
            open.push(number);
          }
        }
      }
    }
    return false;
  }
}
