package io.tidemark.connect.hdfs;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.security.auth.Subject;
import javax.security.auth.kerberos.KerberosPrincipal;
import javax.security.auth.kerberos.KeyTab;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.AppConfigurationEntry.LoginModuleControlFlag;
import javax.security.auth.login.Configuration;
import javax.security.auth.login.LoginContext;
import javax.security.auth.login.LoginException;

/**
 * A principal of Kerberos, and the file with its key.
 *
 * @param principal example: {@code connect/worker.example.com@EXAMPLE.COM}
 * @param file its path
 * @param renewal the longest time between two logins; see {@link KerberosLogin}
 */
public record Keytab(String principal, String file, Duration renewal) {
  private static final String HOST = "_HOST";
  private static final String MODULE = "com.sun.security.auth.module.Krb5LoginModule";

  /**
   * Completes the principal: with this host for {@code _HOST}, and with the default realm.
   *
   * @throws IllegalArgumentException this is not a principal; the message has the cure
   */
  public static Keytab of(String principal, String file, Duration renewal) {
    try {
      String host =
          principal.contains(HOST) ? InetAddress.getLocalHost().getCanonicalHostName() : "";
      String name = principal.strip().replace(HOST, host.toLowerCase(Locale.ROOT));
      return new Keytab(new KerberosPrincipal(name).getName(), file.strip(), renewal);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(
          "connect.hdfs.principal %s: this host does not know its own name: %s. Write the name instead of _HOST, or correct the DNS or /etc/hosts of the host."
              .formatted(principal, e.getMessage()),
          e);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "connect.hdfs.principal %s is not a principal: %s. Write name@REALM or name/host@REALM; without a realm it needs default_realm in krb5.conf."
              .formatted(principal, e.getMessage()),
          e);
    }
  }

  /** Returns why no login with this file can succeed on this machine; empty for nothing. */
  public Optional<String> problem() {
    File path = new File(file);
    if (!path.isFile() || !path.canRead()) {
      return Optional.of(
          "%s is not a file that the user %s may read on this machine. Put the keytab there on every Connect worker, readable by the user of the worker only."
              .formatted(file, System.getProperty("user.name")));
    }
    KerberosPrincipal owner = new KerberosPrincipal(principal);
    return KeyTab.getInstance(owner, path).getKeys(owner).length > 0
        ? Optional.empty()
        : Optional.of(
            "%s contains no key of %s that Java supports. See klist -kte for its principals and types of keys, and correct the file or connect.hdfs.principal."
                .formatted(file, principal));
  }

  /** Requests a ticket from the KDC. Changes nothing else. */
  Subject login() throws IOException {
    Optional<String> problem = problem();
    if (problem.isPresent()) {
      throw new IOException("the login of %s failed: %s".formatted(principal, problem.get()));
    }
    Subject subject =
        new Subject(false, Set.of(new KerberosPrincipal(principal)), Set.of(), Set.of());
    try {
      new LoginContext("tidemark", subject, null, new LoginSettings()).login();
      return subject;
    } catch (LoginException e) {
      throw new IOException(
          "the login of %s with %s failed: %s".formatted(principal, file, e.getMessage()), e);
    }
  }

  private final class LoginSettings extends Configuration {
    @Override
    public AppConfigurationEntry[] getAppConfigurationEntry(String name) {
      return new AppConfigurationEntry[] {
        new AppConfigurationEntry(
            MODULE,
            LoginModuleControlFlag.REQUIRED,
            Map.of(
                "useKeyTab", "true",
                "keyTab", file,
                "principal", principal,
                "doNotPrompt", "true",
                "refreshKrb5Config", "true"))
      };
    }
  }
}
