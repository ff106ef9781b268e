package io.tidemark.benchmarks.landing.flushes;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.util.HashSet;
import java.util.Set;

/**
 * The Hive partitions of a table in a Metastore without a login. Used by one thread.
 *
 * <p>Calls {@code get_partition_names} in Thrift's binary protocol. A message is a word with
 * version and type, the method's name, a number, and a structure. A field of a structure is its
 * type, its number and its value; type 0 ends the structure.
 */
public final class HivePartitions implements AutoCloseable {
  private static final int VERSION = 0x80010000;
  private static final int CALL = 1;
  private static final int REPLY = 2;
  private static final byte END = 0;
  private static final byte SHORT = 6;
  private static final byte TEXT = 11;
  private static final byte LIST = 15;
  private static final int ANSWER_MS = 30_000;

  private final URI metastore;
  private final String database;
  private final String table;
  private Socket socket = new Socket();

  /**
   * Does not connect yet.
   *
   * @param metastore example: {@code thrift://localhost:9083}
   */
  public HivePartitions(URI metastore, String database, String table) {
    this.metastore = metastore;
    this.database = database;
    this.table = table;
  }

  /**
   * Returns the names, such as {@code dt=2026-11-30/hour=14}; none if the table does not exist yet.
   */
  public Set<String> names() throws IOException {
    if (!socket.isConnected() || socket.isClosed()) {
      socket = new Socket();
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(ANSWER_MS);
      socket.connect(new InetSocketAddress(metastore.getHost(), metastore.getPort()), ANSWER_MS);
    }
    socket.getOutputStream().write(call());
    var in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    int head = in.readInt();
    text(in);
    in.readInt();
    byte type = in.readByte();
    if (head != (VERSION | REPLY) || type != LIST || in.readShort() != 0) {
      // An exception of the method. The next call needs a connection without the rest of it.
      close();
      return Set.of();
    }
    in.readByte();
    int count = in.readInt();
    Set<String> names = new HashSet<>();
    for (int i = 0; i < count; i++) {
      names.add(text(in));
    }
    if (in.readByte() != END) {
      throw new IOException(metastore + ": the answer to get_partition_names has another field");
    }
    return names;
  }

  private byte[] call() throws IOException {
    var bytes = new ByteArrayOutputStream();
    var out = new DataOutputStream(bytes);
    out.writeInt(VERSION | CALL);
    text(out, "get_partition_names");
    out.writeInt(0);
    out.writeByte(TEXT);
    out.writeShort(1);
    text(out, database);
    out.writeByte(TEXT);
    out.writeShort(2);
    text(out, table);
    out.writeByte(SHORT);
    out.writeShort(3);
    out.writeShort(-1); // All.
    out.writeByte(END);
    return bytes.toByteArray();
  }

  private static void text(DataOutputStream out, String text) throws IOException {
    byte[] bytes = text.getBytes(UTF_8);
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static String text(DataInputStream in) throws IOException {
    return new String(in.readNBytes(in.readInt()), UTF_8);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
