package io.tidemark.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ForcedFilesTest {

  @TempDir private Path directory;

  @Test
  void callsThatSucceededCountInTheOrderOfTheirEnds() throws IOException {
    assertThat(
            forced(
                    """
                    71 fsync(4</d/a>)                 = 0
                    72 fdatasync(5</d/b> <unfinished ...>
                    71 fsync(4</d/c>)                 = 0
                    73 fsync(6</d/broken>)            = -1 EIO (Input/output error)
                    72 <... fdatasync resumed>)       = 0
                    74 fsync(7</d/killed> <unfinished ...>
                    74 <... fsync resumed>)           = ?
                    """)
                .inOrder())
        .containsExactly(Path.of("/d/a"), Path.of("/d/c"), Path.of("/d/b"));
  }

  @Test
  void blockIsLostUnlessItsDataItsChecksumsAndThenItsDirectoryWereForced() throws IOException {
    ForcedFiles forced =
        forced(
            """
            71 fsync(4</d/rbw/blk_1_1001.meta>)  = 0
            71 fsync(4</d/rbw/blk_1>)            = 0
            71 fsync(4</d/rbw/blk_2>)            = 0
            71 fsync(4</d/finalized/x>)          = 0
            71 fsync(4</d/rbw/blk_3>)            = 0
            """);
    Path finalized = Path.of("/d/finalized/x");
    List<Path> finished =
        List.of(
            finalized.resolve("blk_1"),
            finalized.resolve("blk_1_1002.meta"), // the block was recovered since
            finalized.resolve("blk_2"),
            finalized.resolve("blk_2_1001.meta"),
            finalized.resolve("blk_3"));
    assertThat(forced.unforced(finished))
        .containsExactly(finalized.resolve("blk_2_1001.meta"), finalized.resolve("blk_3"));
  }

  private ForcedFiles forced(String trace) throws IOException {
    return new ForcedFiles(Files.writeString(directory.resolve("trace"), trace));
  }
}
