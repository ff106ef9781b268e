package io.tidemark.connect.hive;

import io.tidemark.connect.hdfs.DelegationToken;
import io.tidemark.connect.hdfs.HadoopUser;
import io.tidemark.connect.hdfs.KerberosLogin;
import io.tidemark.registry.security.TlsContext;
import java.io.Closeable;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.security.PrivilegedActionException;
import java.security.PrivilegedExceptionAction;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.security.auth.Subject;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.CallbackHandler;
import javax.security.auth.callback.NameCallback;
import javax.security.auth.callback.PasswordCallback;
import javax.security.sasl.RealmCallback;
import javax.security.sasl.Sasl;
import javax.security.sasl.SaslException;
import org.apache.hadoop.hive.metastore.api.ThriftHiveMetastore;
import org.apache.thrift.TConfiguration;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.transport.TSaslClientTransport;
import org.apache.thrift.transport.TSocket;
import org.apache.thrift.transport.TTransport;
import org.apache.thrift.transport.TTransportException;
import org.jspecify.annotations.Nullable;

/**
 * The transports of connections to Metastores: plain ones, or with authentication by Kerberos. The
 * Metastore's {@code hadoop.rpc.protection} decides whether these also encrypt.
 */
final class MetastoreTransports implements Closeable {
  private static final Map<String, String> PROTECTION =
      Map.of(Sasl.QOP, "auth-conf,auth-int,auth", Sasl.SERVER_AUTH, "true");

  private final MetastoreSettings settings;
  private final MetastoreAccess access;
  private final Optional<KerberosLogin> login;

  MetastoreTransports(MetastoreSettings settings) {
    this.settings = settings;
    this.access = settings.access();
    this.login =
        access.principal().flatMap(server -> access.user().keytab()).map(KerberosLogin::new);
  }

  /** Returns a transport without a login, which is already connected if it has TLS. */
  TTransport endpoint(URI uri) throws TTransportException {
    Optional<SSLSocketFactory> sockets = tls();
    if (!uri.getScheme().equals("thrift")) {
      return new HttpTransport(uri, settings, sockets);
    }
    TSocket socket =
        new TSocket(
            TConfiguration.DEFAULT,
            uri.getHost(),
            uri.getPort(),
            Math.toIntExact(settings.callTimeout().toMillis()),
            Math.toIntExact(settings.connectTimeout().toMillis()));
    return sockets.isEmpty() ? socket : inTls(socket, uri, sockets.get());
  }

  private static TSocket inTls(TSocket socket, URI uri, SSLSocketFactory sockets)
      throws TTransportException {
    socket.open();
    try {
      Socket plain = Objects.requireNonNull(socket.getSocket());
      SSLSocket tls = (SSLSocket) sockets.createSocket(plain, uri.getHost(), uri.getPort(), true);
      SSLParameters checked = tls.getSSLParameters();
      checked.setEndpointIdentificationAlgorithm("HTTPS"); // by default, no name is compared
      tls.setSSLParameters(checked);
      tls.startHandshake();
      return new TSocket(tls); // with the timeouts of the plain one
    } catch (IOException e) {
      socket.close();
      throw new TTransportException(e.getMessage(), e);
    }
  }

  private Optional<SSLSocketFactory> tls() throws TTransportException {
    try {
      return access.tls().map(TlsContext::new).map(each -> each.current().getSocketFactory());
    } catch (IllegalArgumentException e) {
      throw new TTransportException("hive.metastore.use.SSL: " + e.getMessage(), e);
    }
  }

  /** Returns the transport with the login. For a proxy user, this requests a delegation token. */
  TTransport of(URI uri, TTransport endpoint) throws TException {
    if (login.isEmpty()) {
      return endpoint;
    }
    Optional<String> proxy = access.user().proxy();
    return proxy.isPresent()
        ? withToken(token(uri, proxy.get()), endpoint)
        : withTicket(uri, endpoint);
  }

  private TTransport withTicket(URI uri, TTransport socket) throws TTransportException {
    // Example: hive/_HOST@EXAMPLE.COM
    String[] server = access.principal().orElseThrow().split("[/@]", -1);
    String host = server.length < 3 || server[1].equals("_HOST") ? uri.getHost() : server[1];
    return sasl("GSSAPI", server[0], host, null, socket);
  }

  private static TTransport withToken(DelegationToken token, TTransport socket)
      throws TTransportException {
    CallbackHandler handler =
        callbacks -> {
          for (Callback callback : callbacks) {
            if (callback instanceof NameCallback name) {
              name.setName(token.identifier());
            } else if (callback instanceof PasswordCallback password) {
              password.setPassword(token.password().toCharArray());
            } else if (callback instanceof RealmCallback realm) {
              realm.setText(realm.getDefaultText());
            }
          }
        };
    return sasl("DIGEST-MD5", null, "default", handler, socket);
  }

  private static TTransport sasl(
      String mechanism,
      @Nullable String protocol,
      String server,
      @Nullable CallbackHandler handler,
      TTransport socket)
      throws TTransportException {
    try {
      return new TSaslClientTransport(
          mechanism, null, protocol, server, PROTECTION, handler, socket);
    } catch (SaslException e) {
      throw new TTransportException(e.getMessage(), e);
    }
  }

  /** A proxy user has no ticket of its own. Each connection has a new token, so none expires. */
  private DelegationToken token(URI uri, String proxy) throws TException {
    TTransport own = withTicket(uri, endpoint(uri));
    try {
      open(own);
      String renewer = new HadoopUser(access.user().keytab(), Optional.empty()).name();
      return DelegationToken.parse(
          new ThriftHiveMetastore.Client(new TBinaryProtocol(own))
              .get_delegation_token(proxy, renewer));
    } catch (IOException e) {
      throw new TTransportException(e.getMessage(), e);
    } finally {
      own.close();
    }
  }

  /** Opens a transport, with the tickets of the login. */
  void open(TTransport transport) throws TTransportException {
    if (login.isEmpty()) {
      if (!transport.isOpen()) {
        transport.open();
      }
      return;
    }
    try {
      Subject.doAs(
          login.get().subject(),
          (PrivilegedExceptionAction<Object>)
              () -> {
                transport.open();
                return transport;
              });
    } catch (PrivilegedActionException e) {
      throw e.getException() instanceof TTransportException thrown
          ? thrown
          : new TTransportException(e.getException());
    } catch (IOException e) {
      throw new TTransportException(e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    login.ifPresent(KerberosLogin::close);
  }
}
