package io.tidemark.cli.adopt;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.adopt.OldSinkArchive.State;
import io.tidemark.store.StoragePath;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class FileLookTest {
  private static final StoragePath FILE =
      new StoragePath("/topics/metrics/sensor=s08/metrics+0+0000000006+0000000045.avro");

  private final MemoryStorage storage;
  private final byte[] whole;

  FileLookTest() throws IOException {
    State state = new OldSinkArchive("g-killed").state("g-killed/11");
    storage = state.storage();
    whole = storage.content(FILE);
  }

  private OldFile.Content look(long listed) throws IOException {
    return FileLook.at(storage, FILE, listed);
  }

  @Test
  void recordsAreCounted() throws IOException {
    assertThat(look(whole.length)).isEqualTo(new OldFile.Records(6));
  }

  @Test
  void fileOfAnotherLengthThanTheNameNodeListsIsOpen() throws IOException {
    assertThat(look(0))
        .isEqualTo(
            new OldFile.Broken("is still open: 401 bytes can be read, and the name node lists 0"));
  }

  @Test
  void cutFileIsNotAnAvroFile() throws IOException {
    for (int length = 0; length < whole.length; length++) {
      storage.put(FILE, Arrays.copyOf(whole, length));
      assertThat(look(length)).as("%d bytes", length).isInstanceOf(OldFile.Broken.class);
    }
  }
}
