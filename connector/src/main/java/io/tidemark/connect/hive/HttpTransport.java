package io.tidemark.connect.hive;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.Optional;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLSocketFactory;
import org.apache.thrift.transport.TIOStreamTransport;
import org.apache.thrift.transport.TTransportException;
import org.jspecify.annotations.Nullable;

/**
 * A transport to a Metastore with HTTP: each call is one request, which names the user. Hive has
 * this since 4.0. Used by one thread, while another one may close it.
 */
final class HttpTransport extends TIOStreamTransport {
  private final URI uri;
  private final MetastoreSettings settings;
  private final Optional<SSLSocketFactory> tls;
  private final ByteArrayOutputStream request = new ByteArrayOutputStream();
  private volatile @Nullable HttpURLConnection last;

  HttpTransport(URI uri, MetastoreSettings settings, Optional<SSLSocketFactory> tls)
      throws TTransportException {
    this.uri = uri;
    this.settings = settings;
    this.tls = tls;
    outputStream_ = request;
  }

  @Override
  public void flush() throws TTransportException {
    try {
      HttpURLConnection call = (HttpURLConnection) uri.toURL().openConnection();
      last = call;
      tls.ifPresent(sockets -> ((HttpsURLConnection) call).setSSLSocketFactory(sockets));
      call.setConnectTimeout(Math.toIntExact(settings.connectTimeout().toMillis()));
      call.setReadTimeout(Math.toIntExact(settings.callTimeout().toMillis()));
      call.setInstanceFollowRedirects(false);
      call.setDoOutput(true);
      call.setRequestProperty("Content-Type", "application/x-thrift");
      call.setRequestProperty("x-actor-username", settings.access().user().name());
      request.writeTo(call.getOutputStream());
      request.reset();
      if (call.getResponseCode() != HttpURLConnection.HTTP_OK) {
        throw new TTransportException("HTTP status " + call.getResponseCode());
      }
      inputStream_ = call.getInputStream();
    } catch (IOException e) {
      throw new TTransportException(e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    HttpURLConnection call = last;
    if (call != null) {
      call.disconnect();
    }
  }
}
