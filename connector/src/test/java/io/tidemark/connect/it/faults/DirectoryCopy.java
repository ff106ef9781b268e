package io.tidemark.connect.it.faults;

import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.stack.WebHdfs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.TreeMap;

/** A copy of a directory in HDFS, kept in memory. */
final class DirectoryCopy {

  private final RealStack stack;
  private final String directory;
  private final Map<String, byte[]> files = new TreeMap<>();

  private DirectoryCopy(RealStack stack, String directory) {
    this.stack = stack;
    this.directory = directory;
  }

  /** Copies the present content of the directory. */
  static DirectoryCopy of(RealStack stack, String directory) {
    DirectoryCopy copy = new DirectoryCopy(stack, directory);
    WebHdfs hdfs = stack.services().hdfs().files();
    try {
      for (WebHdfs.Entry file : hdfs.walk(directory)) {
        copy.files.put(file.path(), hdfs.read(file.path()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return copy;
  }

  /** Replaces the directory by the copy, with the connectors' user as owner. */
  void restore() {
    WebHdfs hdfs = stack.services().hdfs().files();
    try {
      hdfs.delete(directory);
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        hdfs.write(file.getKey(), file.getValue());
      }
      own(hdfs, directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void own(WebHdfs hdfs, String directory) throws IOException {
    hdfs.setOwner(directory, RealStack.CONNECTOR_USER);
    for (WebHdfs.Entry entry : hdfs.list(directory)) {
      if (entry.directory()) {
        own(hdfs, entry.path());
      } else {
        hdfs.setOwner(entry.path(), RealStack.CONNECTOR_USER);
      }
    }
  }
}
