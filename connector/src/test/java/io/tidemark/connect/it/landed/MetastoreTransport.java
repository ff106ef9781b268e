package io.tidemark.connect.it.landed;

import io.tidemark.stack.LocalStack;
import io.tidemark.stack.SecurityOptions;
import io.tidemark.stack.Service;
import io.tidemark.stack.security.Certificates;
import java.net.URI;
import java.security.PrivilegedActionException;
import java.security.PrivilegedExceptionAction;
import java.util.Map;
import java.util.Objects;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.security.auth.Subject;
import javax.security.auth.login.LoginException;
import javax.security.sasl.Sasl;
import javax.security.sasl.SaslException;
import org.apache.thrift.transport.TSSLTransportFactory;
import org.apache.thrift.transport.TSSLTransportFactory.TSSLTransportParameters;
import org.apache.thrift.transport.TSaslClientTransport;
import org.apache.thrift.transport.TSocket;
import org.apache.thrift.transport.TTransport;
import org.apache.thrift.transport.TTransportException;

/** A connection to the Metastore with Thrift's own classes, and SASL in TLS if it is secured. */
public final class MetastoreTransport {
  private static final int TIMEOUT_MS = 10_000;

  private MetastoreTransport() {}

  /** Connects, in a secured stack as the workers' principal. The caller closes it. */
  static TTransport open(LocalStack services) throws TTransportException {
    if (!services.has(Service.KDC)) {
      URI uri = URI.create(services.metastore().uris());
      TSocket socket = new TSocket(uri.getHost(), uri.getPort());
      socket.open();
      return socket;
    }
    try {
      return Subject.doAs(
          services.kdc().realm().login(SecurityOptions.CONNECT),
          (PrivilegedExceptionAction<TTransport>)
              () -> {
                TTransport transport = secured(services);
                transport.open();
                return transport;
              });
    } catch (LoginException | PrivilegedActionException e) {
      throw new TTransportException(e);
    }
  }

  /** Returns a transport that a user with a ticket must open. */
  public static TTransport secured(LocalStack services) throws TTransportException, SaslException {
    return new TSaslClientTransport(
        "GSSAPI",
        null,
        "hive",
        "localhost",
        Map.of(Sasl.QOP, "auth-conf,auth-int,auth", Sasl.SERVER_AUTH, "true"),
        null,
        tls(services));
  }

  private static TSocket tls(LocalStack services) throws TTransportException {
    URI metastore = URI.create(services.metastore().uris());
    TSSLTransportParameters parameters = new TSSLTransportParameters();
    parameters.setTrustStore(
        services.security().certificates().trustStore().toString(),
        Certificates.PASSWORD,
        null,
        Certificates.TYPE);
    TSocket socket =
        TSSLTransportFactory.getClientSocket(
            metastore.getHost(), metastore.getPort(), TIMEOUT_MS, parameters);
    SSLSocket tls = (SSLSocket) Objects.requireNonNull(socket.getSocket());
    SSLParameters checked = tls.getSSLParameters();
    checked.setEndpointIdentificationAlgorithm("HTTPS");
    tls.setSSLParameters(checked);
    return socket;
  }
}
