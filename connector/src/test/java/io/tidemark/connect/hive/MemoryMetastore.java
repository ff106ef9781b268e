package io.tidemark.connect.hive;

import io.tidemark.store.partition.HivePartition;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hive.metastore.api.AddPartitionsRequest;
import org.apache.hadoop.hive.metastore.api.AddPartitionsResult;
import org.apache.hadoop.hive.metastore.api.AlreadyExistsException;
import org.apache.hadoop.hive.metastore.api.Database;
import org.apache.hadoop.hive.metastore.api.GetTableRequest;
import org.apache.hadoop.hive.metastore.api.GetTableResult;
import org.apache.hadoop.hive.metastore.api.NoSuchObjectException;
import org.apache.hadoop.hive.metastore.api.Partition;
import org.apache.hadoop.hive.metastore.api.Table;
import org.apache.hadoop.hive.metastore.api.ThriftHiveMetastore;
import org.apache.thrift.TException;
import org.apache.thrift.server.TServer;
import org.apache.thrift.server.TThreadPoolServer;
import org.apache.thrift.transport.TServerSocket;
import org.apache.thrift.transport.TTransportException;

/**
 * A Metastore in memory that speaks the wire protocol, for tests of the calls that are sent.
 * Supports only the calls that register tables and Hive partitions. Thread-safe.
 */
final class MemoryMetastore implements AutoCloseable {
  private final Map<String, Table> tables = new HashMap<>();
  private final Map<List<String>, Partition> partitions = new HashMap<>();
  private final List<String> calls = new ArrayList<>();
  private Runnable beforeRead = () -> {};
  private String lostAnswerOf = "";
  private UnaryOperator<Table> nextRead = UnaryOperator.identity();
  private final TServerSocket socket;
  private final TServer server;

  MemoryMetastore() throws TException {
    this(new TServerSocket(0));
  }

  MemoryMetastore(TServerSocket socket) throws TException {
    this.socket = socket;
    ThriftHiveMetastore.Iface metastore =
        (ThriftHiveMetastore.Iface)
            Proxy.newProxyInstance(
                MemoryMetastore.class.getClassLoader(),
                new Class<?>[] {ThriftHiveMetastore.Iface.class},
                (proxy, method, arguments) -> call(method.getName(), arguments));
    server =
        new TThreadPoolServer(
            new TThreadPoolServer.Args(socket)
                .processor(new ThriftHiveMetastore.Processor<>(metastore)));
    Thread serving = new Thread(server::serve, "memory-metastore");
    serving.setDaemon(true);
    serving.start();
  }

  /** Returns the value of {@code hive.metastore.uris}. */
  String uris() {
    return "thrift://localhost:" + socket.getServerSocket().getLocalPort();
  }

  /** Returns the names of the calls since the last time, in their order. */
  synchronized List<String> takeCalls() {
    List<String> taken = List.copyOf(calls);
    calls.clear();
    return taken;
  }

  /** Changes the location of a Hive partition, as a user does. */
  synchronized void move(HivePartition partition, String location) {
    Optional.ofNullable(partitions.get(partition.values()))
        .orElseThrow()
        .getSd()
        .setLocation(location);
  }

  /** Drops a Hive partition, just before the next read of Hive partitions. */
  synchronized void dropBeforeRead(HivePartition partition) {
    beforeRead = () -> partitions.remove(partition.values());
  }

  /** Changes a table, as another program does. */
  synchronized void change(String table, Consumer<Table> change) {
    change.accept(Optional.ofNullable(tables.get(table)).orElseThrow());
  }

  /** The next read of a table returns a changed copy: half of what another program changes. */
  synchronized void changeNextRead(Consumer<Table> change) {
    nextRead =
        table -> {
          Table copy = table.deepCopy();
          change.accept(copy);
          return copy;
        };
  }

  /** The next call of this name takes effect, and then its connection breaks. */
  synchronized void loseAnswerOf(String call) {
    lostAnswerOf = call;
  }

  /** The result of a call without a result is ignored. */
  private synchronized Object call(String name, Object[] arguments) throws TException {
    if (name.equals("set_ugi")) {
      return List.of();
    }
    calls.add(name);
    Object answer = answer(name, arguments);
    if (name.equals(lostAnswerOf)) {
      lostAnswerOf = "";
      throw new TTransportException("the connection breaks");
    }
    return answer;
  }

  private Object answer(String name, Object[] arguments) throws TException {
    return switch (name) {
      case "get_database" -> new Database();
      case "get_table_req" ->
          new GetTableResult(
              takeRead().apply(table(((GetTableRequest) arguments[0]).getTblName())));
      case "alter_table_with_environment_context" ->
          tables.put((String) arguments[1], (Table) arguments[2]);
      case "create_table" -> create((Table) arguments[0]);
      case "get_partitions_by_names" -> read((List<?>) arguments[2]);
      case "add_partitions_req" -> add((AddPartitionsRequest) arguments[0]);
      default -> throw new TException(name + " is not supported");
    };
  }

  private UnaryOperator<Table> takeRead() {
    UnaryOperator<Table> taken = nextRead;
    nextRead = UnaryOperator.identity();
    return taken;
  }

  private Table create(Table table) throws AlreadyExistsException {
    if (tables.putIfAbsent(table.getTableName(), table) != null) {
      throw new AlreadyExistsException(table.getTableName());
    }
    return table;
  }

  private List<Partition> read(List<?> paths) {
    beforeRead.run();
    return paths.stream()
        .map(path -> HivePartition.parse((String) path).values())
        .flatMap(values -> Optional.ofNullable(partitions.get(values)).stream())
        .toList();
  }

  private Table table(String name) throws NoSuchObjectException {
    Table table = tables.get(name);
    if (table == null) {
      throw new NoSuchObjectException(name);
    }
    return table;
  }

  private AddPartitionsResult add(AddPartitionsRequest request) throws TException {
    table(request.getTblName());
    List<Partition> added = new ArrayList<>();
    for (Partition each : request.getParts()) {
      if (partitions.putIfAbsent(each.getValues(), each) == null) {
        added.add(each);
      } else if (!request.isIfNotExists()) {
        throw new AlreadyExistsException(each.getValues().toString());
      }
    }
    AddPartitionsResult result = new AddPartitionsResult();
    if (request.isNeedResult()) {
      result.setPartitions(added);
    }
    return result;
  }

  @Override
  public void close() {
    server.stop();
  }
}
