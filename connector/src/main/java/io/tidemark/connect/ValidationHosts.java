package io.tidemark.connect;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The hosts that validation may contact, by a system property of the worker. Whoever may validate a
 * configuration could otherwise find out which hosts and ports the worker can reach.
 */
final class ValidationHosts {
  /** Lists hosts, or hosts with ports, separated by commas. Without it, all are permitted. */
  static final String PROPERTY = "tidemark.validation.hosts";

  // hdfs://namenode:8020, kafka-1:9092, [::1]:9092, http://registry:8081/apis/ccompat/v7
  private static final Pattern ADDRESS =
      Pattern.compile("(?:[a-z][a-z\\d+.-]*://)?(\\[[\\da-f:.%]+]|[\\w.-]+)((?::\\d+)?)(?:/.*)?");

  private ValidationHosts() {}

  /** Returns whether validation may contact all of these addresses. */
  static boolean permit(List<String> addresses) {
    String property = System.getProperty(PROPERTY);
    if (property == null) {
      return true;
    }
    List<String> hosts =
        Arrays.asList(property.strip().toLowerCase(Locale.ROOT).split("\\s*,\\s*"));
    return addresses.stream()
        .map(address -> ADDRESS.matcher(address.strip().toLowerCase(Locale.ROOT)))
        .allMatch(
            address ->
                address.matches()
                    && (hosts.contains(address.group(1))
                        || hosts.contains(address.group(1) + address.group(2))));
  }
}
