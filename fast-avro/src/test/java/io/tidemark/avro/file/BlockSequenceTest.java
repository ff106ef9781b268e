package io.tidemark.avro.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.avro.plan.TableDatums;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;

final class BlockSequenceTest {
  private static final CompressorPool COMPRESSORS = new CompressorPool(BlockCodec.of("null"));
  private static final int BLOCK_SIZE_BYTES = 100;

  private final Queue<Runnable> submitted = new ArrayDeque<>();
  private final BlockSequence sequence =
      new BlockSequence(COMPRESSORS, BLOCK_SIZE_BYTES, submitted::add);

  @Test
  void smallTailsAreJoinedIntoFullBlocks() {
    for (int i = 0; i < 10; i++) {
      sequence.append(run(3));
    }
    runSubmitted();

    assertThat(sequence.take()).extracting(Block::records).containsExactly(12L, 12L);
    assertThat(sequence.bufferedBytes()).isEqualTo(6 * 10);
  }

  @Test
  void largeTailIsABlockOfItsWorker() {
    sequence.append(run(6));

    assertThat(submitted).isEmpty();
    assertThat(sequence.take()).extracting(Block::records).containsExactly(6L);
  }

  @Test
  void tailStandsBeforeTheBlocksOfTheNextRun() {
    sequence.append(run(13));
    sequence.append(run(20));
    runSubmitted();

    assertThat(sequence.take()).extracting(Block::records).containsExactly(10L, 3L, 10L, 10L);
  }

  @Test
  void blockThatIsNotReadyHoldsBackThoseBehindIt() {
    sequence.append(run(13));
    sequence.append(run(10));

    assertThat(sequence.take()).extracting(Block::records).containsExactly(10L);
    assertThat(sequence.take()).isEmpty();
    runSubmitted();
    assertThat(sequence.take()).extracting(Block::records).containsExactly(3L, 10L);
  }

  @Test
  void finishCompletesWhenAllIsReady() {
    sequence.append(run(13));

    var finished = sequence.finish();

    assertThat(finished).isNotDone();
    runSubmitted();
    assertThat(finished).isCompleted();
    assertThat(sequence.take()).extracting(Block::records).containsExactly(10L, 3L);
    assertThatThrownBy(() -> sequence.append(run(1))).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void emptyFileFinishesAtOnceWithoutBlocks() {
    sequence.append(run(0));

    assertThat(sequence.finish()).isCompleted();
    assertThat(sequence.take()).isEmpty();
  }

  @Test
  void bufferedBytesAreThoseNotYetTaken() {
    sequence.append(run(13));
    long block = 10 * 10 + 1 + 2 + 16;
    assertThat(sequence.bufferedBytes()).isEqualTo(block + 3 * 10);

    sequence.take();
    assertThat(sequence.bufferedBytes()).isEqualTo(3 * 10);
    assertThat(sequence.records()).isEqualTo(13);
    assertThat(sequence.rawBytes()).isEqualTo(130);
  }

  @Test
  void runIsDividedBetweenFiles() {
    var other = new BlockSequence(COMPRESSORS, BLOCK_SIZE_BYTES, submitted::add);
    RecordRun records = records(37);

    sequence.append(run(3));
    sequence.append(records, 0, 12);
    other.append(records, 12, 37);
    assertThat(sequence.finish()).isNotDone();
    assertThat(other.finish()).isNotDone();
    runSubmitted();

    assertThat(sequence.take()).extracting(Block::records).containsExactly(10L, 5L);
    assertThat(other.take()).extracting(Block::records).containsExactly(10L, 10L, 5L);
    assertThat(sequence.records()).isEqualTo(15);
    assertThat(other.rawBytes()).isEqualTo(250);
  }

  @Test
  void emptyRestOfARunDoesNotGiveItsMemoryBackAgain() {
    var other = new BlockSequence(COMPRESSORS, BLOCK_SIZE_BYTES, submitted::add);
    RecordRun records = records(7);

    sequence.append(records, 0, 7);
    other.append(records, 7, 7);

    assertThat(COMPRESSORS.borrowDatums()).isNotSameAs(COMPRESSORS.borrowDatums());
    assertThat(other.records()).isZero();
  }

  @Test
  void resultOfAChunkIsAppendedOnce() {
    BlockRun run = run(3);
    sequence.append(run);

    assertThatThrownBy(() -> sequence.append(run)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void recordsThatFillABlockAreABlockAtOnce() {
    sequence.append(records(25), 0, 25);
    assertThat(sequence.bufferedBytes()).isEqualTo(250);
    runSubmitted();

    assertThat(sequence.take()).extracting(Block::records).containsExactly(10L, 10L);
  }

  @Test
  void encodedBytesAreThoseOfBlocksTakenOrNotAndOfWhatIsLeft() {
    long ofTen = 10 * 10 + 1 + 2 + 16;
    sequence.append(records(13), 0, 13);
    assertThat(sequence.encodedBytes()).isEqualTo(130);

    runSubmitted();
    assertThat(sequence.encodedBytes()).isEqualTo(ofTen + 30);

    sequence.take();
    assertThat(sequence.encodedBytes()).isEqualTo(ofTen + 30);
  }

  @Test
  void recordsOfATailThatNeedsSeveralPagesKeepTheirOrder() throws IOException {
    var random = new Random(7);
    var expected = new ByteArrayOutputStream();
    var blocks = new BlockSequence(COMPRESSORS, 30_000, submitted::add);
    for (int length : new int[] {0, 1, 200, 3_894, 1, 4_096, 4_097, 9_000, 3, 8_192, 511}) {
      var record = new byte[length];
      random.nextBytes(record);
      expected.write(record);
      var filler = new BlockFiller(COMPRESSORS, 30_000);
      filler.append(record, 0, length);
      blocks.append(filler.finish());
    }
    CompletableFuture<Void> finished = blocks.finish();
    runSubmitted();

    assertThat(finished).isCompleted();
    List<Block> taken = blocks.take();
    assertThat(taken).extracting(Block::records).containsExactly(11L);
    var header =
        new ContainerFileHeader(
            Schema.create(Schema.Type.BYTES),
            BlockCodec.of("null"),
            Map.of(),
            ContainerFileHeader.newSync());
    var file = new ByteArrayOutputStream();
    taken.get(0).writeTo(file, header);
    assertThat(Arrays.copyOfRange(file.toByteArray(), 4, 4 + expected.size()))
        .isEqualTo(expected.toByteArray());
  }

  /** Records of ten bytes, not compressed yet. */
  private static RecordRun records(int count) {
    var run = new RecordRun(COMPRESSORS);
    var datums = new TableDatums(16);
    for (int i = 0; i < count; i++) {
      datums.beginRun(0);
      int begin = datums.size();
      datums.reserve(10);
      datums.add(begin + 10);
      run.append(datums, 0, 1);
    }
    return run;
  }

  private void runSubmitted() {
    while (!submitted.isEmpty()) {
      submitted.remove().run();
    }
  }

  /** A run of records of ten bytes. */
  private static BlockRun run(int records) {
    var filler = new BlockFiller(COMPRESSORS, BLOCK_SIZE_BYTES);
    for (int i = 0; i < records; i++) {
      filler.append(new byte[10], 0, 10);
    }
    return filler.finish();
  }
}
