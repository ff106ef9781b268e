package io.tidemark.benchmarks.articles.fastavrowrite;

import java.util.List;
import java.util.Locale;

/**
 * A way to write the quotes.
 *
 * @param parallelism the number of compressing threads; unused by Avro's library
 * @param bufferBytes the size of the buffered stream before the target, as in the article
 * @param socketBufferBytes the requested size of the send buffer; 0 for the system's default
 */
record WriteMode(
    Library library, int parallelism, int bufferBytes, Target target, int socketBufferBytes) {

  /** The article's buffer, in bytes. */
  static final int ARTICLE_BUFFER = 4 << 20;

  /** The writer. */
  enum Library {
    /** Avro's DataFileWriter with its GenericDatumWriter. */
    STOCK,
    /** ParallelFileWriter with FastDatumWriter. */
    OURS,
    /** ParallelFileWriter with Avro's GenericDatumWriter, as in the article's library. */
    OURS_WITH_AVROS_WRITER,
    /** ParallelFileWriter, given the records' bytes. */
    OURS_ENCODED;

    String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  /** The target of the bytes. */
  enum Target {
    FILE,
    /** Another thread of this JVM, which reads and discards them, over TCP. */
    SOCKET,
    HDFS;

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Returns the mode of a local file, as in the article. */
  static WriteMode file(Library library, int parallelism) {
    return new WriteMode(library, parallelism, ARTICLE_BUFFER, Target.FILE, 0);
  }

  /** Returns the mode as arguments of a fork. */
  List<String> arguments() {
    return List.of(
        library.name(),
        Integer.toString(parallelism),
        Integer.toString(bufferBytes),
        target.name(),
        Integer.toString(socketBufferBytes));
  }

  /** Parses a mode from {@link #arguments}. */
  static WriteMode parse(List<String> arguments) {
    return new WriteMode(
        Library.valueOf(arguments.get(0)),
        Integer.parseInt(arguments.get(1)),
        Integer.parseInt(arguments.get(2)),
        Target.valueOf(arguments.get(3)),
        Integer.parseInt(arguments.get(4)));
  }

  /** Returns the writer without the target. Example: {@code ours, parallelism 4}. */
  String writer() {
    return library == Library.STOCK
        ? library.label()
        : library.label() + ", parallelism " + parallelism;
  }

  /**
   * Returns the target without the writer. Example: {@code socket, buffer 64 KiB, send buffer by
   * the system}.
   */
  String place() {
    return target.label()
        + ", buffer "
        + size(bufferBytes)
        + (target == Target.FILE
            ? ""
            : ", send buffer "
                + (socketBufferBytes == 0 ? "by the system" : size(socketBufferBytes)));
  }

  private static String size(int bytes) {
    return bytes < 1 << 20 ? (bytes >> 10) + " KiB" : (bytes >> 20) + " MiB";
  }

  @Override
  public String toString() {
    return writer() + ", " + place();
  }
}
