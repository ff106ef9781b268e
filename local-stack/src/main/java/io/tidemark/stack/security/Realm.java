package io.tidemark.stack.security;

import java.nio.file.Path;
import java.util.Map;
import javax.security.auth.Subject;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.AppConfigurationEntry.LoginModuleControlFlag;
import javax.security.auth.login.Configuration;
import javax.security.auth.login.LoginContext;
import javax.security.auth.login.LoginException;

/**
 * The Kerberos realm of a secured stack. Each principal has a keytab of its own.
 *
 * <pre>
 * alice             alice.keytab            a user
 * nn/localhost      nn_localhost.keytab     a service
 * </pre>
 *
 * @param krb5Conf the configuration of clients
 * @param keytabs the folder of the keytabs
 */
public record Realm(Path krb5Conf, Path keytabs) {

  /** The name of the realm. */
  public static final String NAME = "TIDEMARK.TEST";

  private static final String MODULE = "com.sun.security.auth.module.Krb5LoginModule";

  /** Returns a service on this machine. Example: {@code nn/localhost}. */
  public static String service(String name) {
    return name + "/localhost";
  }

  /** Returns the whole name. Example: {@code alice@TIDEMARK.TEST} for {@code alice}. */
  public static String principal(String name) {
    return name + "@" + NAME;
  }

  /** Returns the keytab of a principal, which may be missing. */
  public Path keytab(String name) {
    return keytabs.resolve(name.replace('/', '_') + ".keytab");
  }

  /**
   * Returns the option with which a JVM finds the KDC. Only one configuration of Kerberos is
   * possible in a JVM.
   */
  public String jvmOption() {
    return "-Djava.security.krb5.conf=" + krb5Conf;
  }

  /** Lets this JVM find the KDC from now on. */
  public void use() {
    System.setProperty("java.security.krb5.conf", krb5Conf.toString());
  }

  /** Returns a setting {@code sasl.jaas.config} of Kafka, with which a principal logs in. */
  public String jaasConfig(String name) {
    StringBuilder text = new StringBuilder(MODULE).append(" required");
    options(name).forEach((key, value) -> text.append(" %s=\"%s\"".formatted(key, value)));
    return text.append(';').toString();
  }

  /** Logs in with the keytab of a principal. */
  public Subject login(String name) throws LoginException {
    AppConfigurationEntry entry =
        new AppConfigurationEntry(MODULE, LoginModuleControlFlag.REQUIRED, options(name));
    Configuration configuration =
        new Configuration() {
          @Override
          public AppConfigurationEntry[] getAppConfigurationEntry(String application) {
            return new AppConfigurationEntry[] {entry};
          }
        };
    LoginContext context = new LoginContext(name, new Subject(), null, configuration);
    context.login();
    return context.getSubject();
  }

  private Map<String, String> options(String name) {
    return Map.of(
        "principal", principal(name),
        "keyTab", keytab(name).toString(),
        "useKeyTab", "true",
        "storeKey", "true",
        "doNotPrompt", "true",
        "refreshKrb5Config", "true");
  }
}
