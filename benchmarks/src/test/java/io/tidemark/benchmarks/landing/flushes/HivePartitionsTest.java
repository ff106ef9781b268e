package io.tidemark.benchmarks.landing.flushes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Answers as a Metastore does: bytes of Thrift's binary protocol. */
class HivePartitionsTest {
  private static final int REQUEST_BYTES = 4 + 4 + 19 + 4 + (7 + 7) + (7 + 6) + (3 + 2) + 1;

  @Test
  void namesAreThoseOfTheAnswer() throws Exception {
    List<String> names = List.of("dt=2026-11-30/minute=1412", "dt=2026-11-30/minute=1413");
    try (ServerSocket server = answering(reply(names), reply(List.of()));
        HivePartitions partitions = of(server)) {
      assertThat(partitions.names()).containsExactlyInAnyOrderElementsOf(names);
      assertThat(partitions.names()).isEmpty();
    }
  }

  @Test
  void missingTableHasNoPartitions() throws Exception {
    try (ServerSocket server = answering(noSuchTable());
        HivePartitions partitions = of(server)) {
      assertThat(partitions.names()).isEmpty();
    }
  }

  private static HivePartitions of(ServerSocket server) {
    URI uri = URI.create("thrift://localhost:" + server.getLocalPort());
    return new HivePartitions(uri, "default", "quotes");
  }

  private static ServerSocket answering(byte[]... answers) throws IOException {
    var server = new ServerSocket(0, 1, InetAddress.getByName("localhost"));
    var thread =
        new Thread(
            () -> {
              try (Socket socket = server.accept()) {
                var in = new DataInputStream(socket.getInputStream());
                for (byte[] answer : answers) {
                  in.readNBytes(REQUEST_BYTES);
                  socket.getOutputStream().write(answer);
                }
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    thread.setDaemon(true);
    thread.start();
    return server;
  }

  private static byte[] reply(List<String> names) throws IOException {
    var bytes = new ByteArrayOutputStream();
    var out = head(bytes);
    out.write(new byte[] {15, 0, 0, 11});
    out.writeInt(names.size());
    for (String name : names) {
      text(out, name);
    }
    out.writeByte(0);
    return bytes.toByteArray();
  }

  /** The field 1 of the result is a NoSuchObjectException, a structure with a text. */
  private static byte[] noSuchTable() throws IOException {
    var bytes = new ByteArrayOutputStream();
    var out = head(bytes);
    out.write(new byte[] {12, 0, 1, 11, 0, 1});
    text(out, "default.quotes table not found");
    out.write(new byte[] {0, 0});
    return bytes.toByteArray();
  }

  private static DataOutputStream head(ByteArrayOutputStream bytes) throws IOException {
    var out = new DataOutputStream(bytes);
    out.writeInt(0x80010002);
    text(out, "get_partition_names");
    out.writeInt(0);
    return out;
  }

  private static void text(DataOutputStream out, String text) throws IOException {
    out.writeInt(text.length());
    out.write(text.getBytes(UTF_8));
  }
}
