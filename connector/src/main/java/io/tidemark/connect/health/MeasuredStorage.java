package io.tidemark.connect.health;

import io.tidemark.connect.health.ServiceCalls.Call;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Optional;

/** A store that measures its calls, and the reads and writes of its files. */
public record MeasuredStorage(Storage measured, ServiceCalls calls) implements Storage {

  @Override
  public String location() {
    return measured.location();
  }

  @Override
  public OutputStream create(StoragePath file) throws IOException {
    try (Call call = calls.begin("create")) {
      try {
        OutputStream created = measured.create(file);
        call.answer();
        return new MeasuredStream(created, calls);
      } catch (FileAlreadyExistsException | NoSuchFileException e) {
        call.answer();
        throw e;
      }
    }
  }

  @Override
  public void rename(StoragePath source, StoragePath target) throws IOException {
    try (Call call = calls.begin("rename")) {
      try {
        measured.rename(source, target);
        call.answer();
      } catch (FileAlreadyExistsException | NoSuchFileException e) {
        call.answer();
        throw e;
      }
    }
  }

  @Override
  public void requireRenames(StoragePath sourceDirectory, StoragePath targetDirectory)
      throws IOException {
    try (Call call = calls.begin("encryption zone")) {
      try {
        measured.requireRenames(sourceDirectory, targetDirectory);
        call.answer();
      } catch (FileAlreadyExistsException | NoSuchFileException e) {
        call.answer();
        throw e;
      }
    }
  }

  @Override
  public InputStream open(StoragePath file) throws IOException {
    try (Call call = calls.begin("open")) {
      try {
        InputStream opened = measured.open(file);
        call.answer();
        return new MeasuredInput(opened, calls);
      } catch (FileAlreadyExistsException | NoSuchFileException e) {
        call.answer();
        throw e;
      }
    }
  }

  @Override
  public List<StoredFile> list(StoragePath directory) throws IOException {
    try (Call call = calls.begin("list")) {
      List<StoredFile> answer = measured.list(directory);
      call.answer();
      return answer;
    }
  }

  @Override
  public Optional<StoredFile> find(StoragePath path) throws IOException {
    try (Call call = calls.begin("find")) {
      Optional<StoredFile> answer = measured.find(path);
      call.answer();
      return answer;
    }
  }

  @Override
  public boolean delete(StoragePath file) throws IOException {
    try (Call call = calls.begin("delete")) {
      boolean answer = measured.delete(file);
      call.answer();
      return answer;
    }
  }

  @Override
  public boolean deleteTree(StoragePath directory) throws IOException {
    try (Call call = calls.begin("delete")) {
      boolean answer = measured.deleteTree(directory);
      call.answer();
      return answer;
    }
  }

  @Override
  public void makeDirectories(StoragePath directory) throws IOException {
    try (Call call = calls.begin("make directories")) {
      try {
        measured.makeDirectories(directory);
        call.answer();
      } catch (FileAlreadyExistsException | NoSuchFileException e) {
        call.answer();
        throw e;
      }
    }
  }

  @Override
  public void close() throws IOException {
    measured.close();
  }

  /** Measures reads, so that a data node that does not respond is detected. */
  private static final class MeasuredInput extends FilterInputStream {
    private final ServiceCalls calls;

    MeasuredInput(InputStream measured, ServiceCalls calls) {
      super(measured);
      this.calls = calls;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      try (Call call = calls.begin("read")) {
        int read = in.read(bytes, offset, length);
        call.answer();
        return read;
      }
    }
  }

  private static final class MeasuredStream extends FilterOutputStream {
    private final ServiceCalls calls;

    MeasuredStream(OutputStream measured, ServiceCalls calls) {
      super(measured);
      this.calls = calls;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      try (Call call = calls.begin("write")) {
        out.write(bytes, offset, length);
        call.answer();
      }
    }

    /** Closes the file once and without {@link #flush}, unlike the superclass. */
    @Override
    public void close() throws IOException {
      try (Call call = calls.begin("close a file")) {
        out.close();
        call.answer();
      }
    }
  }
}
