package io.tidemark.connect.hdfs;

import io.tidemark.store.MonotonicClock;
import io.tidemark.store.PrintableFailure;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.Date;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.security.auth.Subject;
import javax.security.auth.kerberos.KerberosPrincipal;
import javax.security.auth.kerberos.KerberosTicket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tickets of one client, by a keytab. Thread-safe.
 *
 * <p>A login requests its ticket beside the present ones, which it replaces only if it succeeds: a
 * KDC that does not answer takes no valid ticket away. A thread renews the tickets when three
 * quarters of their lifetime have passed, and tries again every 5 s after a failure. Hadoop itself
 * renews only the tickets of its one login for the whole process.
 */
public final class KerberosLogin implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(KerberosLogin.class);
  private static final long RETRY_MS = 5_000;
  private static final long PAUSE_MS = 1_000;

  private final Keytab keytab;
  private final Subject subject = new Subject();
  private final MonotonicClock clock = MonotonicClock.system();
  private final ScheduledExecutorService renewer;
  private volatile Optional<KerberosTicket> ticket = Optional.empty();
  private Optional<IOException> failure = Optional.empty();
  private long failedMs;

  /** Returns at once: the first login is that of the thread, or of the first {@link #subject}. */
  public KerberosLogin(Keytab keytab) {
    this.keytab = keytab;
    subject.getPrincipals().add(new KerberosPrincipal(keytab.principal()));
    renewer =
        Executors.newSingleThreadScheduledExecutor(
            work -> {
              Thread thread = new Thread(work, "tidemark-kerberos " + keytab.principal());
              thread.setDaemon(true);
              return thread;
            });
    renewAfter(0);
  }

  private void renewAfter(long ms) {
    if (!renewer.isShutdown()) {
      Future<?> unused = renewer.schedule(() -> renewAfter(renewed()), ms, TimeUnit.MILLISECONDS);
    }
  }

  /** Renews the tickets. Returns the pause until the next time. */
  private synchronized long renewed() {
    try {
      return Math.min(keytab.renewal().toMillis(), lifetime(login()).toMillis() * 3 / 4);
    } catch (IOException e) {
      return RETRY_MS;
    }
  }

  private static Duration lifetime(KerberosTicket of) {
    Date begin = of.getStartTime() == null ? of.getAuthTime() : of.getStartTime();
    return Duration.between(begin.toInstant(), of.getEndTime().toInstant());
  }

  /**
   * Returns the subject, which is always the same and has a valid ticket now.
   *
   * @throws IOException the login failed, and no earlier ticket is valid: retry
   */
  public Subject subject() throws IOException {
    if (!isLoggedIn()) { // otherwise it does not wait for a renewal that a KDC delays
      synchronized (this) {
        if (failure.isPresent() && clock.millis() - failedMs < PAUSE_MS) {
          throw new IOException(failure.get().getMessage(), failure.get());
        }
        if (!isLoggedIn()) {
          KerberosTicket unused = login();
        }
      }
    }
    return subject;
  }

  private boolean isLoggedIn() {
    return ticket.filter(KerberosTicket::isCurrent).isPresent();
  }

  /** Returns the subject, which may have no valid ticket. */
  Subject subjectOfLater() {
    return subject;
  }

  private KerberosTicket login() throws IOException {
    boolean failing = failure.isPresent();
    try {
      Set<KerberosTicket> fresh = keytab.login().getPrivateCredentials(KerberosTicket.class);
      subject.getPrivateCredentials().addAll(fresh);
      subject
          .getPrivateCredentials()
          .removeIf(each -> each instanceof KerberosTicket old && !fresh.contains(old));
      KerberosTicket next = fresh.iterator().next();
      ticket = Optional.of(next);
      failure = Optional.empty();
      if (failing) {
        LOG.info("{}: the login succeeds again", keytab.principal());
      }
      return next;
    } catch (IOException e) {
      if (!failing) {
        LOG.warn(
            "The tickets of {} are not renewed. The login is retried every 5 s.",
            keytab.principal(),
            PrintableFailure.of(e));
      }
      failure = Optional.of(e);
      failedMs = clock.millis();
      throw e;
    }
  }

  @Override
  public void close() {
    renewer.shutdownNow();
  }
}
