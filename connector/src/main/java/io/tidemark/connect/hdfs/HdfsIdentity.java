package io.tidemark.connect.hdfs;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.reflect.Method;
import java.security.PrivilegedExceptionAction;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.security.auth.Subject;
import javax.security.auth.login.LoginContext;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.StandardSocketFactory;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;

/**
 * The user as which a client calls HDFS. Each client has its own: users of Kerberos and a user
 * without may be in one process.
 *
 * <p>Hadoop has state for all its clients of a class loader. This class alone sets it. {@code
 * UserGroupInformation} has one method of authentication: it becomes Kerberos with the first client
 * that has a keytab, and remains so. Clients without a keytab then accept a name node without
 * authentication, by connections that they share with no client that has one. {@code
 * hadoop.security.auth_to_local} is the same for all.
 */
final class HdfsIdentity implements Closeable {
  static final String AUTHENTICATION = "hadoop.security.authentication";

  static final String SIMPLE = "simple";
  private static final String SOCKETS = "hadoop.rpc.socket.factory.class.default";
  private static final String FALL_BACK = "ipc.client.fallback-to-simple-auth-allowed";
  private static final List<String> OF_ALL =
      List.of(
          "hadoop.security.auth_to_local", "hadoop.security.auth_to_local.mechanism", FALL_BACK);
  private static final Object STATIC = new Object();

  /** The user of the process; null until the first client. */
  private static @Nullable UserGroupInformation process;

  /** The open clients with a keytab, in the order in which they were opened. */
  private static final Map<HdfsIdentity, Secured> SECURED = new LinkedHashMap<>();

  private record Secured(String principal, Configuration conf) {}

  private final UserGroupInformation user;
  private final Optional<KerberosLogin> login;

  private HdfsIdentity(UserGroupInformation user, Optional<KerberosLogin> login) {
    this.user = user;
    this.login = login;
  }

  /** A factory of its own gives a client its own connections, and its own {@link #FALL_BACK}. */
  public static final class SimpleSockets extends StandardSocketFactory {}

  /**
   * Sends no request.
   *
   * @param conf the client's settings, to which this method adds
   * @throws IllegalArgumentException the settings contradict those of another client
   */
  static HdfsIdentity of(HadoopUser of, Configuration conf) throws IOException {
    synchronized (STATIC) {
      if (process == null) {
        Configuration simple = new Configuration(false);
        simple.set(AUTHENTICATION, SIMPLE);
        UserGroupInformation.setConfiguration(simple);
        process = UserGroupInformation.getLoginUser();
      }
      if (of.keytab().isPresent()) {
        conf.set(AUTHENTICATION, "kerberos");
        return secured(of.keytab().get(), of.proxy(), new Configuration(conf));
      }
      conf.setBoolean(FALL_BACK, true);
      if (conf.get(SOCKETS, "").endsWith(StandardSocketFactory.class.getSimpleName())) {
        conf.set(SOCKETS, SimpleSockets.class.getName());
      }
      return new HdfsIdentity(actingFor(of.proxy(), process), Optional.empty());
    }
  }

  private static HdfsIdentity secured(Keytab keytab, Optional<String> proxy, Configuration conf) {
    Secured opened = new Secured(keytab.principal(), conf);
    SECURED.values().stream().findFirst().ifPresent(first -> requireSame(first, opened));
    KerberosLogin login = new KerberosLogin(keytab);
    try {
      if (SECURED.isEmpty() || !UserGroupInformation.isSecurityEnabled()) {
        UserGroupInformation.setConfiguration(conf);
      }
      UserGroupInformation owner = UserGroupInformation.getUGIFromSubject(login.subjectOfLater());
      logInToKeyServers(owner);
      HdfsIdentity identity = new HdfsIdentity(actingFor(proxy, owner), Optional.of(login));
      SECURED.put(identity, opened);
      return identity;
    } catch (IOException | IllegalArgumentException e) {
      login.close();
      throw new IllegalArgumentException(
          "connect.hdfs.principal %s has no short name in Hadoop: %s. Set default_realm in krb5.conf to its realm, or add a rule to hadoop.security.auth_to_local in the core-site.xml of hadoop.conf.dir."
              .formatted(keytab.principal(), e.getMessage()),
          e);
    }
  }

  /**
   * The client of key servers uses the tickets of a user only if Hadoop has a login of that user,
   * and else those of the process. It never uses the login itself.
   */
  private static void logInToKeyServers(UserGroupInformation user) {
    try {
      Method ofProcess = UserGroupInformation.class.getDeclaredMethod("getLogin");
      Method set = UserGroupInformation.class.getDeclaredMethod("setLogin", LoginContext.class);
      ofProcess.setAccessible(true);
      set.setAccessible(true);
      set.invoke(user, ofProcess.invoke(process));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("Hadoop's client has another release than expected", e);
    }
  }

  private static UserGroupInformation actingFor(
      Optional<String> proxy, UserGroupInformation owner) {
    return proxy.map(name -> UserGroupInformation.createProxyUser(name, owner)).orElse(owner);
  }

  private static void requireSame(Secured first, Secured opened) {
    for (String key : OF_ALL) {
      String before = first.conf().get(key, "");
      String now = opened.conf().get(key, "");
      if (!before.equals(now)) {
        throw new IllegalArgumentException(
            "%s is one setting for all connectors of a worker: it is \"%s\" for the connector of %s, and \"%s\" for that of %s. Give both the same core-site.xml, or run them on different workers."
                .formatted(key, before, first.principal(), now, opened.principal()));
      }
    }
  }

  /** Corrects the method of authentication, in case that other code of this class loader set it. */
  private static void keepSecured() {
    synchronized (STATIC) {
      if (!UserGroupInformation.isSecurityEnabled()) {
        SECURED.values().stream()
            .findFirst()
            .ifPresent(first -> UserGroupInformation.setConfiguration(first.conf()));
      }
    }
  }

  /** Calls HDFS as this user, after a login if no ticket is valid. */
  <T> T call(PrivilegedExceptionAction<T> action) throws IOException {
    if (login.isPresent()) {
      Subject unused = login.get().subject();
      keepSecured();
    }
    return open(action);
  }

  /** Creates a client as this user. This sends no request, so it needs no ticket. */
  <T> T open(PrivilegedExceptionAction<T> action) throws IOException {
    try {
      return user.doAs(action);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException(e.getMessage()).initCause(e);
    }
  }

  @Override
  public void close() {
    synchronized (STATIC) {
      SECURED.remove(this);
    }
    login.ifPresent(KerberosLogin::close);
  }
}
