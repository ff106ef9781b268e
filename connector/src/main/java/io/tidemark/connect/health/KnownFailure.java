package io.tidemark.connect.health;

import io.tidemark.registry.RegistryException;
import io.tidemark.store.IndentedTexts;
import io.tidemark.store.StoreRefusedException;
import io.tidemark.store.commit.KafkaRefusedException;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Cause and cure of a service's failure, from the table in {@code failures.txt}.
 *
 * <p>A sign with a space is a part of a message. Other signs are names of exception classes without
 * their packages: of the failure, its causes and their superclasses, and of classes that a message
 * names. A name node's exceptions arrive only as names, in a RemoteException, and those of a
 * Metastore's HDFS in a MetaException. For a registry, the signs contain the HTTP status. The first
 * row with any of the signs applies.
 *
 * @param refusal reason of a permanent failure; empty if the failure is transient
 * @param cure the cause, unless the service's message has it, and what to do, in whole sentences
 */
public record KnownFailure(Optional<Refusal> refusal, String cure) {
  private static final String KEY = "{key}";

  static final List<Row> TABLE =
      IndentedTexts.read(KnownFailure.class, "failures.txt").entrySet().stream()
          .map(each -> Row.of(each.getKey(), each.getValue()))
          .toList();

  private static final KnownFailure UNKNOWN =
      new KnownFailure(
          Optional.empty(),
          "The cause is not known. Check that the service runs and that {key} is correct, and see its log.");

  /** Example: {@code org.apache.hadoop.hdfs.server.namenode.SafeModeException}. */
  private static final Pattern CLASS = Pattern.compile("[.$](\\w*(?:Exception|InvalidToken))\\b");

  private static final String STACK_TRACE = "\n\tat ";
  private static final int LEAST_ERROR_CODE = 1_000;

  record Row(String service, List<String> signs, KnownFailure failure) {

    static Row of(String head, String cure) {
      String[] cells = head.split(" \\| ", -1);
      return new Row(
          cells[0],
          List.of(cells[2].split("; ", -1)),
          new KnownFailure(
              cells[1].equals("-") ? Optional.empty() : Optional.of(Refusal.valueOf(cells[1])),
              cure));
    }

    boolean isOf(Service named) {
      return service.equals("*") || service.equals(named.name());
    }

    boolean appliesTo(Set<String> classes, String messages) {
      return signs.stream()
          .anyMatch(sign -> sign.contains(" ") ? messages.contains(sign) : classes.contains(sign));
    }
  }

  /** Looks a failure up. {@code called} is the service whose call has failed. */
  public static KnownFailure of(Service called, Throwable failure) {
    Service service = called;
    Set<String> classes = new HashSet<>();
    StringBuilder messages = new StringBuilder();
    for (Throwable each : chain(failure)) {
      if (each instanceof StoreRefusedException refused) {
        return new KnownFailure(Optional.of(refusal(refused.reason())), refused.cure());
      }
      if (each instanceof KafkaRefusedException refused) {
        return new KnownFailure(Optional.of(Refusal.ACCESS), refused.cure());
      }
      if (each instanceof RegistryException answer) {
        service = Service.SCHEMA_REGISTRY; // also if an event's serializer has called it
        int code = answer.code(); // of HTTP, or of a registry, such as 40301 for 403
        int status = code < LEAST_ERROR_CODE ? code : code / 100;
        classes.addAll(Set.of("HTTP-" + status, "HTTP-" + status / 100 + "xx"));
      }
      for (@Nullable Class<?> type = each.getClass(); type != null; type = type.getSuperclass()) {
        classes.add(type.getSimpleName());
      }
      String text = each.toString();
      int trace = text.indexOf(STACK_TRACE);
      messages.append(trace < 0 ? text : text.substring(0, trace)).append('\n');
    }
    CLASS.matcher(messages).results().forEach(named -> classes.add(named.group(1)));
    Service of = service;
    KnownFailure known =
        TABLE.stream()
            .filter(row -> row.isOf(of) && row.appliesTo(classes, messages.toString()))
            .findFirst()
            .map(Row::failure)
            .orElse(UNKNOWN);
    return new KnownFailure(known.refusal, known.cure.replace(KEY, of.addressKey()));
  }

  private static Set<Throwable> chain(Throwable failure) {
    Set<Throwable> chain = new LinkedHashSet<>();
    for (@Nullable Throwable each = failure; each != null && chain.add(each); ) {
      each = each.getCause();
    }
    return chain;
  }

  private static Refusal refusal(StoreRefusedException.Reason reason) {
    return switch (reason) {
      case ACCESS -> Refusal.ACCESS;
      case QUOTA -> Refusal.QUOTA;
      case LIMIT, BOUNDARY -> Refusal.OTHER;
    };
  }

  /** Returns a message: the problem, then cause and cure. */
  public String after(String problem) {
    return (problem.endsWith(".") ? problem : problem + ".") + " " + cure;
  }
}
