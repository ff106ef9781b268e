package io.tidemark.connect.it.landed;

import io.tidemark.connect.hive.HiveCatalog;
import io.tidemark.stack.LocalStack;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.hadoop.hive.metastore.api.FieldSchema;
import org.apache.hadoop.hive.metastore.api.GetTableRequest;
import org.apache.hadoop.hive.metastore.api.NoSuchObjectException;
import org.apache.hadoop.hive.metastore.api.Partition;
import org.apache.hadoop.hive.metastore.api.Table;
import org.apache.hadoop.hive.metastore.api.ThriftHiveMetastore;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.transport.TTransport;

/** A table as a Metastore of any release returns it, in the Metastore's own protocol. */
public final class CatalogTable {

  private static final short ALL = -1;

  private final Table table;
  private final List<Partition> partitions;

  private CatalogTable(Table table, List<Partition> partitions) {
    this.table = table;
    this.partitions = partitions;
  }

  /** Requests a table. */
  static Optional<CatalogTable> in(LocalStack services, String database, String name) {
    try (TTransport transport = MetastoreTransport.open(services)) {
      ThriftHiveMetastore.Client metastore =
          new ThriftHiveMetastore.Client(new TBinaryProtocol(transport));
      Table table = metastore.get_table_req(new GetTableRequest(database, name)).getTable();
      List<Partition> partitions =
          table.getPartitionKeysSize() == 0
              ? List.of()
              : metastore.get_partitions(database, name, ALL);
      return Optional.of(new CatalogTable(table, partitions));
    } catch (NoSuchObjectException unknown) {
      return Optional.empty();
    } catch (TException e) {
      throw new IllegalStateException("%s.%s".formatted(database, name), e);
    }
  }

  /** The schema for readers. */
  public Schema schema() {
    return new Schema.Parser().parse(table.getParameters().get("avro.schema.literal"));
  }

  /** The number of {@link #schema()} in the table's directory; 0 for none. */
  int schemaVersion() {
    return Integer.parseInt(table.getParameters().getOrDefault(HiveCatalog.SCHEMA_VERSION, "0"));
  }

  /** The names of the columns, with the partition columns last. */
  public List<String> columns() {
    return Stream.concat(table.getSd().getCols().stream(), table.getPartitionKeys().stream())
        .map(FieldSchema::getName)
        .toList();
  }

  /** The directories of the Hive partitions, by name. Example of one: {@code dt=…/hour=07}. */
  public Map<String, String> locations() {
    return partitions.stream()
        .collect(
            Collectors.toMap(
                this::nameOf,
                partition -> partition.getSd().getLocation().replaceFirst("^[a-z]+://[^/]*", "")));
  }

  private String nameOf(Partition partition) {
    StringBuilder name = new StringBuilder();
    for (int i = 0; i < partition.getValuesSize(); i++) {
      name.append(i == 0 ? "" : "/")
          .append(table.getPartitionKeys().get(i).getName())
          .append('=')
          .append(partition.getValues().get(i));
    }
    return name.toString();
  }
}
