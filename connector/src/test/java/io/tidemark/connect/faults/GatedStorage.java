package io.tidemark.connect.faults;

import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;

/** A store whose calls go through a {@link CallGate}; closing a file is one of them. */
record GatedStorage(Storage storage, CallGate gate) implements Storage {

  @Override
  public String location() {
    return storage.location();
  }

  @Override
  public OutputStream create(StoragePath file) throws IOException {
    OutputStream out = gate.change("storage create " + file.value(), () -> storage.create(file));
    return new FilterOutputStream(out) {
      private boolean closed;

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        out.write(bytes, offset, length);
      }

      @Override
      public void close() throws IOException {
        if (!closed) {
          closed = true;
          gate.change("storage close " + file.value(), out::close);
        }
      }
    };
  }

  @Override
  public void rename(StoragePath source, StoragePath target) throws IOException {
    gate.change("storage rename " + target.value(), () -> storage.rename(source, target));
  }

  @Override
  public InputStream open(StoragePath file) throws IOException {
    return gate.ask("storage open " + file.value(), () -> storage.open(file));
  }

  @Override
  public List<StoredFile> list(StoragePath directory) throws IOException {
    return gate.ask("storage list " + directory.value(), () -> storage.list(directory));
  }

  @Override
  public Optional<StoredFile> find(StoragePath path) throws IOException {
    return gate.ask("storage find " + path.value(), () -> storage.find(path));
  }

  @Override
  public boolean delete(StoragePath file) throws IOException {
    return gate.change("storage delete " + file.value(), () -> storage.delete(file));
  }

  @Override
  public boolean deleteTree(StoragePath directory) throws IOException {
    return gate.change(
        "storage deleteTree " + directory.value(), () -> storage.deleteTree(directory));
  }

  @Override
  public void requireRenames(StoragePath sourceDirectory, StoragePath targetDirectory)
      throws IOException {
    gate.ask(
        "storage requireRenames " + targetDirectory.value(),
        () -> {
          storage.requireRenames(sourceDirectory, targetDirectory);
          return true;
        });
  }

  @Override
  public void makeDirectories(StoragePath directory) throws IOException {
    gate.change(
        "storage makeDirectories " + directory.value(), () -> storage.makeDirectories(directory));
  }

  @Override
  public void close() throws IOException {
    storage.close();
  }
}
