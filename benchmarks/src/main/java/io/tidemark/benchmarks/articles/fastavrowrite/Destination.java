package io.tidemark.benchmarks.articles.fastavrowrite;

import java.io.BufferedOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/** A target of files, which are written one after the other. Used by one thread. */
abstract class Destination implements AutoCloseable {

  /** Opens a stream for a file, which replaces the previous one. The caller closes it. */
  abstract OutputStream open() throws IOException;

  @Override
  public abstract void close() throws IOException;

  /**
   * Returns the destination of a mode.
   *
   * @param place a directory for local files, or the URI of HDFS
   */
  static Destination of(WriteMode mode, String place) throws IOException {
    return switch (mode.target()) {
      case FILE -> new LocalFile(Path.of(place), mode);
      case SOCKET -> new Discarding(mode);
      case HDFS -> new Hdfs(URI.create(place), mode);
    };
  }

  private static final class LocalFile extends Destination {
    private final Path file;
    private final WriteMode mode;

    LocalFile(Path directory, WriteMode mode) throws IOException {
      file = Files.createTempFile(Files.createDirectories(directory), "quotes-", ".avro");
      this.mode = mode;
    }

    @Override
    OutputStream open() throws IOException {
      return new BufferedOutputStream(new FileOutputStream(file.toFile()), mode.bufferBytes());
    }

    @Override
    public void close() throws IOException {
      Files.deleteIfExists(file);
    }
  }

  /** A server on the loopback device that reads and discards, a connection for each file. */
  private static final class Discarding extends Destination {
    private final ServerSocket server;
    private final WriteMode mode;

    Discarding(WriteMode mode) throws IOException {
      server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
      this.mode = mode;
      var reader = new Thread(this::discard, "discards");
      reader.setDaemon(true);
      reader.start();
    }

    private void discard() {
      var bytes = new byte[256 << 10];
      while (!server.isClosed()) {
        try (Socket connection = server.accept();
            InputStream in = connection.getInputStream()) {
          while (in.read(bytes) >= 0) {
            // Discard the bytes.
          }
        } catch (IOException e) {
          if (!server.isClosed()) {
            System.err.println("the socket's reader has failed: " + e);
          }
        }
      }
    }

    @Override
    @SuppressWarnings("resource") // Closed with its stream.
    OutputStream open() throws IOException {
      var socket = new Socket();
      if (mode.socketBufferBytes() > 0) {
        socket.setSendBufferSize(mode.socketBufferBytes());
      }
      socket.connect(server.getLocalSocketAddress());
      return new BufferedOutputStream(socket.getOutputStream(), mode.bufferBytes());
    }

    @Override
    public void close() throws IOException {
      server.close();
    }
  }

  private static final class Hdfs extends Destination {
    private static final org.apache.hadoop.fs.Path FILE =
        new org.apache.hadoop.fs.Path("/fast-avro-write/quotes.avro");

    private final FileSystem fileSystem;
    private final WriteMode mode;

    Hdfs(URI uri, WriteMode mode) throws IOException {
      var settings = new Configuration();
      settings.setInt("io.file.buffer.size", mode.bufferBytes());
      settings.setInt("dfs.client.socket.send.buffer.size", mode.socketBufferBytes());
      settings.setInt("dfs.replication", 1);
      // As in the connector: the pause before the client asks again whether a block is complete.
      settings.setInt("dfs.client.block.write.locateFollowingBlock.initial.delay.ms", 5);
      settings.setInt("dfs.client.block.write.locateFollowingBlock.retries", 12);
      fileSystem = FileSystem.newInstance(uri, settings);
      this.mode = mode;
    }

    @Override
    OutputStream open() throws IOException {
      return new BufferedOutputStream(fileSystem.create(FILE, true), mode.bufferBytes());
    }

    @Override
    public void close() throws IOException {
      fileSystem.close();
    }
  }
}
