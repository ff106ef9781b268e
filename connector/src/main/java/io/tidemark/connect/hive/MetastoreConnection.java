package io.tidemark.connect.hive;

import io.tidemark.connect.health.KnownFailure;
import io.tidemark.connect.health.Service;
import io.tidemark.store.PrintableFailure;
import io.tidemark.store.table.CatalogUnavailableException;
import java.io.Closeable;
import java.net.URI;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.hive.metastore.api.MetaException;
import org.apache.hadoop.hive.metastore.api.ThriftHiveMetastore;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TProtocolException;
import org.apache.thrift.transport.TTransport;
import org.apache.thrift.transport.TTransportException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection to a Metastore. It is opened at its first use. When it breaks, the next use
 * connects to the next Metastore. Thread-safe; calls are serialized.
 *
 * <p>A call whose connection breaks is sent again, so callers send only idempotent calls.
 */
final class MetastoreConnection implements Closeable {
  private static final Logger log = LoggerFactory.getLogger(MetastoreConnection.class);

  @FunctionalInterface
  interface Call<T> {
    T on(ThriftHiveMetastore.Client metastore) throws TException;
  }

  @FunctionalInterface
  interface Command {
    void on(ThriftHiveMetastore.Client metastore) throws TException;
  }

  private final MetastoreSettings settings;
  private final ReentrantLock lock = new ReentrantLock();
  private ThriftHiveMetastore.@Nullable Client connected;
  private volatile @Nullable TTransport endpoint;
  private volatile boolean closed;
  private final MetastoreTransports transports;
  private int nextUri;

  MetastoreConnection(MetastoreSettings settings) {
    this.settings = settings;
    this.transports = new MetastoreTransports(settings);
  }

  /**
   * Throws a {@link CatalogUnavailableException} if no Metastore responded, or if the error is
   * transient, and a {@link TException} if the Metastore rejected the call.
   */
  <T> T call(String what, Call<T> call) throws CatalogUnavailableException, TException {
    lock.lock();
    try {
      // An old connection may have broken unnoticed: try it once more, then each Metastore once.
      int attempts = settings.uris().size() + (connected == null ? 0 : 1);
      for (int attempt = 1; ; attempt++) {
        try {
          return call.on(client());
        } catch (TTransportException | TProtocolException e) {
          disconnect();
          if (attempt >= attempts || closed) {
            throw unavailable(what, e);
          }
          log.debug(
              "{}: the connection to the Metastore broke; trying the next Metastore",
              what,
              PrintableFailure.of(e));
        } catch (MetaException e) {
          if (DatabaseRefusal.in(e).isPresent()) {
            throw e;
          }
          throw unavailable(what, e);
        } catch (TApplicationException e) {
          throw unavailable(what, e);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  void run(String what, Command command) throws CatalogUnavailableException, TException {
    call(
        what,
        metastore -> {
          command.on(metastore);
          return what;
        });
  }

  private ThriftHiveMetastore.Client client() throws TException {
    ThriftHiveMetastore.Client current = connected;
    if (current != null) {
      return current;
    }
    if (closed) {
      throw new TTransportException(TTransportException.NOT_OPEN, "the catalog is closed");
    }
    URI uri = settings.uris().get(nextUri);
    TTransport opened = transports.endpoint(uri);
    endpoint = opened;
    TTransport transport = transports.of(uri, opened);
    transports.open(transport);
    ThriftHiveMetastore.Client client =
        new ThriftHiveMetastore.Client(new TBinaryProtocol(transport));
    if (settings.access().principal().isEmpty() && uri.getScheme().equals("thrift")) {
      client.set_ugi(settings.access().user().name(), List.of());
    }
    connected = client;
    return client;
  }

  private void disconnect() {
    TTransport current = endpoint;
    if (current != null) {
      current.close();
    }
    endpoint = null;
    connected = null;
    nextUri = (nextUri + 1) % settings.uris().size();
  }

  private CatalogUnavailableException unavailable(String what, TException cause) {
    String said = cause.toString().lines().findFirst().orElse(""); // then comes a stack trace
    String problem =
        "%s: the call of the Hive Metastore at %s failed: %s"
            .formatted(what, settings.uris(), said);
    return new CatalogUnavailableException(
        KnownFailure.of(Service.METASTORE, cause).after(problem) + " The call is retried.", cause);
  }

  /** Closes the connection and aborts a waiting call. */
  @Override
  public void close() {
    closed = true;
    TTransport current = endpoint;
    if (current != null) {
      current.close();
    }
    transports.close();
  }
}
