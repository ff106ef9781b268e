package io.tidemark.connect.health;

import io.tidemark.connect.health.ServiceCalls.Call;
import io.tidemark.registry.RegistryException;
import io.tidemark.registry.RegistryUnavailableException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaRegistry;
import io.tidemark.store.Storage;
import io.tidemark.store.commit.TopicMetadata;
import io.tidemark.store.table.CatalogConflictException;
import io.tidemark.store.table.TableCatalog;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Measures the calls of a service's client, by a proxy of the client's interface. Each call is a
 * request to the service, so the cost of reflection does not matter. No record needs a call. The
 * reads and writes of files are measured, too, so that a data node that does not respond is
 * detected. Thread-safe if the client is.
 *
 * @param names the names of calls, by the method; other methods send no request
 * @param answers returns whether a failure is a response of the service, such as that an object
 *     does not exist
 * @param cached returns whether the result of a call with these arguments is in a cache
 */
public record MeasuredService(
    Object client,
    ServiceCalls calls,
    Map<String, String> names,
    Predicate<Throwable> answers,
    Predicate<Object[]> cached)
    implements InvocationHandler {
  static final Map<String, String> OF_STORE =
      Map.of(
          "create", "create",
          "rename", "rename",
          "requireRenames", "encryption zone",
          "open", "open",
          "list", "list",
          "find", "find",
          "delete", "delete",
          "deleteTree", "delete",
          "makeDirectories", "make directories");

  static final Map<String, String> OF_KAFKA =
      Map.of(
          "identity", "topic id",
          "agreedIdentity", "topic id of several brokers",
          "gone", "absence according to several brokers",
          "retainedOffsets", "retained offsets",
          "ends", "end offsets",
          "undelivered", "records at the end",
          "truncatedAt", "leader epochs",
          "groupOffset", "the group's offset");

  static final Map<String, String> OF_CATALOG =
      Map.of(
          "exists", "read a table",
          "partitions", "list Hive partitions",
          "registerTable", "register a table",
          "addPartitions", "add Hive partitions",
          "dropPartitions", "drop Hive partitions",
          "relocatePartition", "relocate a Hive partition");

  static final Map<String, String> OF_REGISTRY = Map.of("schema", "schema");

  public static Storage store(Storage client, ServiceCalls calls) {
    return proxy(
        Storage.class,
        new MeasuredService(
            client,
            calls,
            OF_STORE,
            e -> e instanceof FileAlreadyExistsException || e instanceof NoSuchFileException,
            arguments -> false));
  }

  public static TopicMetadata topics(TopicMetadata client, ServiceCalls calls) {
    return proxy(
        TopicMetadata.class,
        new MeasuredService(client, calls, OF_KAFKA, e -> false, arguments -> false));
  }

  public static TableCatalog catalog(TableCatalog client, ServiceCalls calls) {
    return proxy(
        TableCatalog.class,
        new MeasuredService(
            client,
            calls,
            OF_CATALOG,
            e -> e instanceof CatalogConflictException,
            arguments -> false));
  }

  /** Lookups with a result in the registry's cache are counted, and all others are measured. */
  public static SchemaRegistry registry(SchemaRegistry client, ServiceCalls calls) {
    return proxy(
        SchemaRegistry.class,
        new MeasuredService(
            client,
            calls,
            OF_REGISTRY,
            e -> e instanceof RegistryException && !(e instanceof RegistryUnavailableException),
            arguments -> client.remembers((SchemaId) arguments[0])));
  }

  private static <T> T proxy(Class<T> type, MeasuredService handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    String name = names.get(method.getName());
    if (name == null) {
      return call(method, arguments);
    }
    if (arguments != null && cached.test(arguments)) {
      calls.remembered();
      return call(method, arguments);
    }
    try (Call call = calls.begin(name)) {
      Object result;
      try {
        result = call(method, arguments);
      } catch (Throwable e) {
        if (answers.test(e)) {
          call.answer();
        }
        throw e;
      }
      call.answer();
      if (result instanceof OutputStream file) {
        return new MeasuredOutput(file, calls);
      }
      return result instanceof InputStream file ? new MeasuredInput(file, calls) : result;
    }
  }

  private @Nullable Object call(Method method, Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(client, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }

  private static final class MeasuredInput extends FilterInputStream {
    private final ServiceCalls calls;

    MeasuredInput(InputStream measured, ServiceCalls calls) {
      super(measured);
      this.calls = calls;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      try (Call call = calls.begin("read")) {
        int read = in.read(bytes, offset, length);
        call.answer();
        return read;
      }
    }
  }

  private static final class MeasuredOutput extends FilterOutputStream {
    private final ServiceCalls calls;

    MeasuredOutput(OutputStream measured, ServiceCalls calls) {
      super(measured);
      this.calls = calls;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      try (Call call = calls.begin("write")) {
        out.write(bytes, offset, length);
        call.answer();
      }
    }

    /** Closes the file once and without {@link #flush}, unlike the superclass. */
    @Override
    public void close() throws IOException {
      try (Call call = calls.begin("close a file")) {
        out.close();
        call.answer();
      }
    }
  }
}
