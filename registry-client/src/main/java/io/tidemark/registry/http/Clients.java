package io.tidemark.registry.http;

import io.tidemark.registry.security.TlsContext;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * The JDK's HTTP client for some settings. It is created again with the TLS context, so that the
 * next request uses a rotated store. Safe for use by many threads.
 */
final class Clients {
  private final HttpSettings settings;
  private final Optional<TlsContext> tls;
  private @Nullable SSLContext context;
  private HttpClient client;

  Clients(HttpSettings settings) {
    this.settings = settings;
    boolean asTheJvm =
        settings.tls().keys().isEmpty()
            && settings.tls().trust().isEmpty()
            && settings.tls().hostNameChecked();
    this.tls = asTheJvm ? Optional.empty() : Optional.of(new TlsContext(settings.tls()));
    this.context = tls.map(TlsContext::current).orElse(null);
    this.client = make();
  }

  synchronized HttpClient current() {
    SSLContext now = tls.map(TlsContext::current).orElse(null);
    if (now != context) {
      context = now;
      client = make();
    }
    return client;
  }

  /** Returns whether messages may quote what a server sent. */
  boolean quotes() {
    return settings.quotes();
  }

  private HttpClient make() {
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(Duration.ofMillis(settings.connectTimeoutMs()));
    if (context != null) {
      builder.sslContext(context);
    }
    if (!settings.tls().protocols().isEmpty()) {
      builder.sslParameters(
          new SSLParameters(null, settings.tls().protocols().toArray(new String[0])));
    }
    settings.proxy().ifPresent(proxy -> builder.proxy(ProxySelector.of(proxy)));
    return builder.build();
  }
}
