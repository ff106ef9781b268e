package io.tidemark.connect.faults;

import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;

/**
 * The store as the client of one process sees it. A name node that was suspended while another one
 * became active still acts as the active one when it wakes. It answers reads from the past. It
 * stops at the first change that it gets, because the journal nodes refuse it; the client then
 * makes the change at the active name node, and reads from there.
 */
record StorageOfProcess(Storage storage, SimulatedProcess process) implements Storage {

  private Storage seen() {
    return process.formerActive().orElse(storage);
  }

  private Storage changed() {
    process.readFrom(Optional.empty());
    return storage;
  }

  @Override
  public String location() {
    return storage.location();
  }

  @Override
  public OutputStream create(StoragePath file) throws IOException {
    return changed().create(file);
  }

  @Override
  public void rename(StoragePath source, StoragePath target) throws IOException {
    changed().rename(source, target);
  }

  @Override
  public void requireRenames(StoragePath sourceDirectory, StoragePath targetDirectory)
      throws IOException {
    seen().requireRenames(sourceDirectory, targetDirectory);
  }

  @Override
  public InputStream open(StoragePath file) throws IOException {
    return seen().open(file);
  }

  @Override
  public List<StoredFile> list(StoragePath directory) throws IOException {
    return seen().list(directory);
  }

  @Override
  public Optional<StoredFile> find(StoragePath path) throws IOException {
    return seen().find(path);
  }

  /** A name node need not change anything if there is no such file. */
  @Override
  public boolean delete(StoragePath file) throws IOException {
    return seen().find(file).isPresent() && changed().delete(file);
  }

  @Override
  public boolean deleteTree(StoragePath directory) throws IOException {
    return seen().find(directory).isPresent() && changed().deleteTree(directory);
  }

  /** A name node need not change anything if the directory exists. */
  @Override
  public void makeDirectories(StoragePath directory) throws IOException {
    if (seen().find(directory).filter(StoredFile::directory).isEmpty()) {
      changed().makeDirectories(directory);
    }
  }

  @Override
  public void close() throws IOException {
    storage.close();
  }
}
