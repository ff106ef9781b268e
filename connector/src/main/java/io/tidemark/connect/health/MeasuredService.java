package io.tidemark.connect.health;

import static java.util.Map.entry;

import io.tidemark.connect.health.ServiceCalls.Call;
import io.tidemark.registry.RegistryException;
import io.tidemark.registry.RegistryUnavailableException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaRegistry;
import io.tidemark.store.table.CatalogConflictException;
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
import org.jspecify.annotations.Nullable;

/**
 * Measures the calls of a service's client, by a proxy of the client's interface. Each call is a
 * request to the service, so the cost of reflection does not matter. No record needs a call. The
 * reads and writes of files are measured, too, so that a data node that does not respond is
 * detected. Lookups with a result in the registry's cache are counted, and all others are measured.
 * Thread-safe if the client is.
 */
public record MeasuredService(Object client, ServiceCalls calls) implements InvocationHandler {
  /** The names of calls, by the method; other methods send no request. */
  static final Map<String, String> NAMES =
      Map.ofEntries(
          entry("create", "create"),
          entry("rename", "rename"),
          entry("requireRenames", "encryption zone"),
          entry("open", "open"),
          entry("list", "list"),
          entry("find", "find"),
          entry("delete", "delete"),
          entry("deleteTree", "delete"),
          entry("makeDirectories", "make directories"),
          entry("identity", "topic id"),
          entry("agreedIdentity", "topic id of several brokers"),
          entry("gone", "absence according to several brokers"),
          entry("retainedOffsets", "retained offsets"),
          entry("earliest", "first offset of the leader"),
          entry("greatestEnd", "end offsets of several brokers"),
          entry("ends", "end offsets"),
          entry("undelivered", "records at the end"),
          entry("truncatedAt", "leader epochs"),
          entry("groupOffset", "the group's offset"),
          entry("exists", "read a table"),
          entry("partitions", "list Hive partitions"),
          entry("registerTable", "register a table"),
          entry("addPartitions", "add Hive partitions"),
          entry("dropPartitions", "drop Hive partitions"),
          entry("relocatePartition", "relocate a Hive partition"),
          entry("schema", "schema"));

  public static <T> T of(Class<T> type, T client, ServiceCalls calls) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(), new Class<?>[] {type}, new MeasuredService(client, calls)));
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    String name = NAMES.get(method.getName());
    if (name == null) {
      return call(method, arguments);
    }
    if (client instanceof SchemaRegistry registry
        && arguments != null
        && registry.remembers((SchemaId) arguments[0])) {
      calls.remembered();
      return call(method, arguments);
    }
    try (Call call = calls.begin(name)) {
      Object result;
      try {
        result = call(method, arguments);
      } catch (Throwable e) {
        if (isAnswer(e)) {
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

  /** Returns whether a failure is a response of the service, such as that an object is missing. */
  private static boolean isAnswer(Throwable failure) {
    return failure instanceof FileAlreadyExistsException
        || failure instanceof NoSuchFileException
        || failure instanceof CatalogConflictException
        || (failure instanceof RegistryException
            && !(failure instanceof RegistryUnavailableException));
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
