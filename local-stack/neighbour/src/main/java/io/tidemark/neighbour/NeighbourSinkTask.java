package io.tidemark.neighbour;

import java.io.IOException;
import java.net.URI;
import java.util.Collection;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTask;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TCompactProtocol;
import org.apache.thrift.transport.TFramedTransport;
import org.apache.thrift.transport.TMemoryBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Writes each put() as an Avro file into HDFS, at least once: the offsets, which go through Thrift
 * first, and beside each the jars that the three libraries came from.
 */
public final class NeighbourSinkTask extends SinkTask {
  private static final Schema ROW =
      SchemaBuilder.record("Row")
          .fields()
          .requiredInt("partition")
          .requiredLong("offset")
          .requiredString("avro")
          .requiredString("hadoop")
          .requiredString("thrift")
          .endRecord();

  private @Nullable FileSystem files;
  private String directory = "";

  @Override
  public void start(Map<String, String> settings) {
    directory = settings.getOrDefault("directory", "");
    String store = settings.getOrDefault("store.url", "");
    try {
      files = FileSystem.newInstance(URI.create(store), new Configuration());
    } catch (IOException e) {
      throw new ConnectException(store + " cannot be opened", e);
    }
  }

  @Override
  public void put(Collection<SinkRecord> records) {
    if (records.isEmpty() || files == null) {
      return;
    }
    SinkRecord first = records.iterator().next();
    Path file = new Path(directory, first.kafkaPartition() + "-" + first.kafkaOffset() + ".avro");
    try (DataFileWriter<GenericRecord> writer = new DataFileWriter<>(new GenericDatumWriter<>())) {
      writer.setCodec(CodecFactory.snappyCodec());
      writer.create(ROW, files.create(file, true));
      for (SinkRecord record : records) {
        writer.append(row(record));
      }
    } catch (IOException | TException e) {
      throw new ConnectException(file + " cannot be written", e);
    }
  }

  private static GenericRecord row(SinkRecord record) throws TException {
    GenericRecord row = new GenericData.Record(ROW);
    row.put("partition", record.kafkaPartition());
    row.put("offset", throughThrift(record.kafkaOffset()));
    row.put("avro", jarOf(Schema.class));
    row.put("hadoop", jarOf(FileSystem.class));
    row.put("thrift", jarOf(TCompactProtocol.class));
    return row;
  }

  /** By a transport that later versions have in another package. */
  private static long throughThrift(long value) throws TException {
    TCompactProtocol protocol = new TCompactProtocol(new TFramedTransport(new TMemoryBuffer(64)));
    protocol.writeI64(value);
    protocol.getTransport().flush();
    return protocol.readI64();
  }

  /** Example: {@code avro-1.8.2.jar}. */
  private static String jarOf(Class<?> type) {
    String path = type.getProtectionDomain().getCodeSource().getLocation().getPath();
    return path.substring(path.lastIndexOf('/') + 1);
  }

  @Override
  public void stop() {
    try {
      if (files != null) {
        files.close();
      }
    } catch (IOException e) {
      throw new ConnectException("the file system cannot be closed", e);
    }
  }

  @Override
  public String version() {
    return "neighbour";
  }
}
