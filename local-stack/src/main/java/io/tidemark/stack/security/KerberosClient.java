package io.tidemark.stack.security;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedActionException;
import java.security.PrivilegedExceptionAction;
import java.util.Base64;
import java.util.Map;
import javax.security.auth.Subject;
import javax.security.auth.login.LoginException;
import javax.security.sasl.Sasl;
import javax.security.sasl.SaslClient;
import org.ietf.jgss.GSSContext;
import org.ietf.jgss.GSSException;
import org.ietf.jgss.GSSManager;
import org.ietf.jgss.GSSName;
import org.ietf.jgss.Oid;

/**
 * A client that logs in with the keytab of a principal for each request, and needs only the JDK.
 *
 * @param principal the name without the realm. Example: {@code nn/localhost}
 */
public record KerberosClient(Realm realm, String principal) {

  private static final String MECHANISM = "GSSAPI";
  private static final byte START = 1;
  private static final byte OK = 2;
  private static final byte COMPLETE = 5;
  private static final int LARGEST_MESSAGE = 1 << 20;

  /** Runs an action as the principal. */
  public <T> T run(PrivilegedExceptionAction<T> action) throws IOException {
    try {
      return Subject.doAs(realm.login(principal), action);
    } catch (LoginException e) {
      throw new IOException("%s cannot log in: %s".formatted(principal, e.getMessage()), e);
    } catch (PrivilegedActionException e) {
      throw e.getCause() instanceof IOException failed ? failed : new IOException(e.getCause());
    }
  }

  /** Returns the header {@code Authorization} of an HTTP request to this machine (SPNEGO). */
  public String authorization() throws IOException {
    byte[] token =
        run(
            () -> {
              GSSManager manager = GSSManager.getInstance();
              GSSName server = manager.createName("HTTP@localhost", GSSName.NT_HOSTBASED_SERVICE);
              try {
                GSSContext context =
                    manager.createContext(
                        server, new Oid("1.3.6.1.5.5.2"), null, GSSContext.DEFAULT_LIFETIME);
                context.requestMutualAuth(true);
                return context.initSecContext(new byte[0], 0, 0);
              } catch (GSSException e) {
                throw new IOException(principal + " gets no ticket for " + server, e);
              }
            });
    return "Negotiate " + Base64.getEncoder().encodeToString(token);
  }

  /**
   * Sends one message of Thrift to a service and returns the response, both protected as the server
   * requires.
   *
   * <p>Thrift's negotiation has a byte of state and a 32-bit length before each token; afterwards
   * each message has only the length.
   *
   * @param service the first part of the server's principal. Example: {@code hive}
   */
  public byte[] thriftRequest(Socket socket, String service, byte[] message) throws IOException {
    return run(
        () -> {
          DataInputStream in = new DataInputStream(socket.getInputStream());
          DataOutputStream out = new DataOutputStream(socket.getOutputStream());
          SaslClient sasl =
              Sasl.createSaslClient(
                  new String[] {MECHANISM},
                  null,
                  service,
                  "localhost",
                  Map.of(Sasl.QOP, "auth-conf,auth-int,auth", Sasl.SERVER_AUTH, "true"),
                  null);
          negotiate(sasl, in, out);
          boolean isProtected = !"auth".equals(sasl.getNegotiatedProperty(Sasl.QOP));
          byte[] sent = isProtected ? sasl.wrap(message, 0, message.length) : message;
          out.writeInt(sent.length);
          out.write(sent);
          out.flush();
          byte[] received = bytes(in);
          byte[] response = isProtected ? sasl.unwrap(received, 0, received.length) : received;
          sasl.dispose();
          return response;
        });
  }

  private static void negotiate(SaslClient sasl, DataInputStream in, DataOutputStream out)
      throws IOException {
    ByteArrayOutputStream first = new ByteArrayOutputStream();
    DataOutputStream start = new DataOutputStream(first);
    send(start, START, MECHANISM.getBytes(StandardCharsets.US_ASCII));
    send(start, OK, sasl.evaluateChallenge(new byte[0]));
    out.write(first.toByteArray());
    while (true) {
      byte state = in.readByte();
      byte[] challenge = bytes(in);
      if (state == COMPLETE && sasl.isComplete()) {
        return;
      }
      if (state != OK) {
        throw new IOException(
            "the server refuses the login, with state %d: %s"
                .formatted(state, new String(challenge, StandardCharsets.UTF_8)));
      }
      byte[] answer = sasl.evaluateChallenge(challenge);
      send(out, sasl.isComplete() ? COMPLETE : OK, answer == null ? new byte[0] : answer);
      out.flush();
    }
  }

  private static void send(DataOutputStream out, byte state, byte[] token) throws IOException {
    out.writeByte(state);
    out.writeInt(token.length);
    out.write(token);
  }

  private static byte[] bytes(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > LARGEST_MESSAGE) {
      throw new IOException(
          "a message of %d bytes: the server requires TLS, or no SASL".formatted(length));
    }
    return in.readNBytes(length);
  }
}
