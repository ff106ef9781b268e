package io.tidemark.connect.hive;

import io.tidemark.connect.hdfs.DelegationToken;
import io.tidemark.connect.hdfs.HadoopUser;
import io.tidemark.connect.hdfs.KerberosLogin;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.security.PrivilegedActionException;
import java.security.PrivilegedExceptionAction;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
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
import org.apache.thrift.transport.TSSLTransportFactory;
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

  /** Returns a socket, which is already connected if it has TLS. */
  TSocket socket(URI uri) throws TTransportException {
    int callMs = Math.toIntExact(settings.callTimeout().toMillis());
    if (access.tls().isPresent()) {
      TSocket socket =
          TSSLTransportFactory.getClientSocket(
              uri.getHost(), uri.getPort(), callMs, access.tls().get().parameters());
      SSLSocket tls = (SSLSocket) Objects.requireNonNull(socket.getSocket());
      SSLParameters checked = tls.getSSLParameters();
      checked.setEndpointIdentificationAlgorithm("HTTPS"); // by default, no name is compared
      tls.setSSLParameters(checked);
      return socket;
    }
    return new TSocket(
        TConfiguration.DEFAULT,
        uri.getHost(),
        uri.getPort(),
        callMs,
        Math.toIntExact(settings.connectTimeout().toMillis()));
  }

  /** Returns the transport over a socket. For a proxy user, this requests a delegation token. */
  TTransport of(URI uri, TSocket socket) throws TException {
    if (login.isEmpty()) {
      return socket;
    }
    Optional<String> proxy = access.user().proxy();
    return proxy.isPresent() ? withToken(token(uri, proxy.get()), socket) : withTicket(uri, socket);
  }

  private TTransport withTicket(URI uri, TSocket socket) throws TTransportException {
    // Example: hive/_HOST@EXAMPLE.COM
    String[] server = access.principal().orElseThrow().split("[/@]", -1);
    String host = server.length < 3 || server[1].equals("_HOST") ? uri.getHost() : server[1];
    return sasl("GSSAPI", server[0], host, null, socket);
  }

  private static TTransport withToken(DelegationToken token, TSocket socket)
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
      TSocket socket)
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
    TTransport own = withTicket(uri, socket(uri));
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
