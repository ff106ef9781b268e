package io.tidemark.connect.it.hadoop;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.Deployment;
import io.tidemark.connect.it.stack.Readings;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.SourceTopic;
import io.tidemark.stack.ConnectWorker;
import io.tidemark.stack.SecuredConnector;
import io.tidemark.stack.SecurityOptions;
import io.tidemark.stack.security.Realm;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.crypto.SecretKey;
import javax.security.auth.kerberos.KerberosPrincipal;
import javax.security.auth.kerberos.KerberosTicket;
import javax.security.auth.kerberos.KeyTab;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.security.token.TokenIdentifier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A worker that logs in with a keytab, and requests delegation tokens for a proxy user, never shows
 * a key, a ticket or a token: in its log at TRACE of Tidemark, in answers, or in metrics.
 */
@OnSecuredStack
@Tag("long")
final class KerberosSecretsIT {

  /** As the JDK shows tickets and their keys, and Hadoop the kind of a token of HDFS. */
  private static final List<String> OF_TICKETS =
      List.of("Session Key", "Ticket (hex)", "EncryptionKey:", "keyBytes", "HDFS_DELEGATION_TOKEN");

  /** Long enough for a token. Example: {@code ABxjYXJvbEBUSURF…}. */
  private static final Pattern BASE64 = Pattern.compile("[A-Za-z0-9+/_-]{40,}");

  private static final String PROXY = "carol";

  @Test
  void nothingThatAWorkerShowsHasAKeyATicketOrAToken(SecuredStack stack) throws Exception {
    RealStack real = stack.landing();
    ConnectWorker worker = stack.services().connect().worker(0);
    String keys = keysOf(stack, SecurityOptions.CONNECT).get(0);
    assertThat(found("a " + keys, List.of(keys))).isPresent();
    assertThat(found(shown(stack), List.of())).as("a ticket").isPresent();
    assertThat(found("token " + token(), List.of())).as("a token").isPresent();

    setLevel(worker, "TRACE");
    String said;
    try {
      SourceTopic topic = real.topic("kerberos_secrets", 1);
      topic.send(Readings.V1, 0, 100);
      ConnectorSettings settings =
          ConnectorSettings.of(topic.name(), topic)
              .statedOften()
              .with("log.retained.entries", "10000")
              .with("kerberos.ticket.renew.period.ms", "2000")
              .with("hdfs.proxy.user", PROXY);
      for (Map.Entry<String, String> each :
          SecuredConnector.settings(stack.services()).entrySet()) {
        settings = settings.with(each.getKey(), each.getValue());
      }
      Deployment connector = real.deploy(settings);
      connector.landsExactly();
      Thread.sleep(5_000); // Tickets are renewed.
      said = worker.process().log().text();
      List<String> shown = new ArrayList<>();
      shown.addAll(connector.said("task-metrics", "HeldBecause"));
      shown.addAll(connector.said("ledger-metrics", "Problem"));
      said += connector.status() + String.join("\n", shown);
    } finally {
      setLevel(worker, "INFO");
      real.endTest();
    }
    assertThat(said).contains("TRACE", "kerberos_secrets");
    assertThat(found(said, keysOf(stack, SecurityOptions.CONNECT))).isEmpty();
  }

  /** Returns the first line of a text with a key, a ticket or a token. */
  private static Optional<String> found(String text, List<String> keys) {
    return text.lines()
        .filter(
            line ->
                Stream.concat(OF_TICKETS.stream(), keys.stream()).anyMatch(line::contains)
                    || BASE64.matcher(line).results().anyMatch(word -> isToken(word.group())))
        .findFirst();
  }

  /** A token names the user for whom it is. */
  private static boolean isToken(String word) {
    String standard = word.replace('-', '+').replace('_', '/');
    String whole = standard.substring(0, standard.length() / 4 * 4);
    try {
      return new String(Base64.getDecoder().decode(whole), ISO_8859_1)
          .toLowerCase(Locale.ROOT)
          .contains(PROXY);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static List<String> keysOf(SecuredStack stack, String principal) {
    KerberosPrincipal owner = new KerberosPrincipal(Realm.principal(principal));
    Path file = stack.kdc().realm().keytab(principal);
    List<String> keys = new ArrayList<>();
    for (SecretKey key : KeyTab.getInstance(owner, file.toFile()).getKeys(owner)) {
      keys.add(HexFormat.of().formatHex(key.getEncoded()));
      keys.add(Base64.getEncoder().encodeToString(key.getEncoded()).replaceFirst("=+$", ""));
    }
    return keys;
  }

  private static String shown(SecuredStack stack) throws Exception {
    return stack
        .kdc()
        .realm()
        .login(SecurityOptions.CONNECT)
        .getPrivateCredentials(KerberosTicket.class)
        .toString();
  }

  private static String token() throws Exception {
    return new Token<TokenIdentifier>(
            PROXY.getBytes(UTF_8), new byte[20], new Text("HIVE_DELEGATION_TOKEN"), new Text("any"))
        .encodeToUrlString();
  }

  private static void setLevel(ConnectWorker worker, String level) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(worker.url() + "/admin/loggers/io.tidemark"))
            .header("Content-Type", "application/json")
            .PUT(BodyPublishers.ofString("{\"level\": \"%s\"}".formatted(level)))
            .build();
    assertThat(HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).statusCode())
        .isEqualTo(200);
  }
}
