package io.tidemark.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/**
 * The files of a stack, all under one directory.
 *
 * <pre>
 * conf/connect-1/worker.properties   configuration of each server
 * data/name-node/                    data of each server, and its working directory
 * keytabs/                           keytabs and certificates, if the stack is secured
 * plugins/                           plugin path of Connect
 * logs/connect-1.log                 log of each server
 * </pre>
 */
record StackFiles(Path directory) {

  StackFiles {
    directory = directory.toAbsolutePath().normalize();
  }

  Path conf(String server) {
    return made(directory.resolve("conf").resolve(server));
  }

  Path data(String server) {
    return made(directory.resolve("data").resolve(server));
  }

  Path plugins() {
    return made(directory.resolve("plugins"));
  }

  /** Returns the folder of the keytabs and certificates of a secured stack. */
  Path keytabs() {
    return made(directory.resolve("keytabs"));
  }

  Path logs() {
    return made(directory.resolve("logs"));
  }

  ServerLog log(String server) {
    return new ServerLog(logs().resolve(server + ".log"));
  }

  /** Writes a configuration file of a server and returns its path. */
  Path write(String server, String fileName, String text) {
    Path file = conf(server).resolve(fileName);
    try {
      return Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(file + " cannot be written", e);
    }
  }

  /** Writes a {@code .properties} file. */
  Path writeProperties(String server, String fileName, Map<String, String> settings) {
    Properties properties = new Properties();
    properties.putAll(settings);
    Path file = conf(server).resolve(fileName);
    try (Writer writer = Files.newBufferedWriter(file)) {
      properties.store(writer, server);
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(file + " cannot be written", e);
    }
  }

  /** Writes a configuration in Hadoop's XML. */
  Path writeXml(String server, String fileName, Map<String, String> settings) {
    StringBuilder xml = new StringBuilder("<?xml version=\"1.0\"?>\n<configuration>\n");
    new TreeMap<>(settings)
        .forEach(
            (name, value) ->
                xml.append("  <property><name>%s</name>".formatted(escaped(name)))
                    .append("<value>%s</value></property>\n".formatted(escaped(value))));
    return write(server, fileName, xml.append("</configuration>\n").toString());
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  private static Path made(Path folder) {
    try {
      return Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(folder + " cannot be created", e);
    }
  }
}
