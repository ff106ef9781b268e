package io.tidemark.avro.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.avro.plan.TableDatums;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class BufferPoolTest {
  @ParameterizedTest
  @ValueSource(ints = {4096, 4097, 5120, 5121, 65_536, 70_000, 917_505, 1 << 20})
  void arrayThatIsGivenBackIsLentForAnyLengthOfItsStep(int length) {
    var pool = new BufferPool(() -> 8 << 20);
    byte[] array = pool.borrow(length);
    assertThat(array.length).isBetween(length, length + length / 4);
    assertThat(pool.borrow(length)).isNotSameAs(array);

    pool.giveBack(array);

    assertThat(pool.borrow(array.length)).isSameAs(array);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4095, (1 << 20) + 1})
  void smallAndHugeArraysAreOfTheLengthAskedForAndNotKept(int length) {
    var pool = new BufferPool(() -> 8 << 20);
    byte[] array = pool.borrow(length);
    assertThat(array).hasSize(length);

    pool.giveBack(array);

    assertThat(pool.borrow(length)).isNotSameAs(array);
  }

  @Test
  void noMoreIsKeptThanAllowed() {
    var pool = new BufferPool(() -> 10_000);
    byte[] kept = pool.borrow(8192);
    byte[] tooMuch = pool.borrow(4096);
    pool.giveBack(kept);
    pool.giveBack(tooMuch);

    assertThat(pool.borrow(4096)).isNotSameAs(tooMuch);
    assertThat(pool.borrow(8192)).isSameAs(kept);
  }

  @Test
  void idleArraysAreDroppedWhenTheLimitDecreases() {
    var limit = new AtomicLong(8 << 20);
    var pool = new BufferPool(limit::get);
    byte[] large = pool.borrow(1 << 20);
    byte[] small = pool.borrow(4096);
    pool.giveBack(large);
    pool.giveBack(small);
    limit.set(100_000);

    pool.borrow(8192);

    assertThat(pool.borrow(1 << 20)).isNotSameAs(large);
    assertThat(pool.borrow(4096)).isSameAs(small);
  }

  @Test
  void idleBuffersAreDroppedWhenTheLimitDecreases() {
    var limit = new AtomicLong(8 << 20);
    var pool = new BufferPool(limit::get);
    TableDatums buffer = pool.borrowDatums();
    buffer.reserve(500_000);
    pool.giveBack(buffer);
    limit.set(100_000);

    pool.borrow(8192);

    assertThat(pool.borrowDatums()).isNotSameAs(buffer);
  }

  @Test
  void buffersThatHaveGrownDoNotFillThePool() {
    var random = new Random(3);
    var pool = new BufferPool(() -> 64 << 20);
    for (int i = 0; i < 300; i++) {
      TableDatums large = pool.borrowDatums();
      large.reserve(100_000);
      pool.giveBack(large);
      List<TableDatums> many = borrowed(pool, 50 + random.nextInt(51));
      many.forEach(pool::giveBack);
    }

    assertThat(borrowed(pool, 1_000).stream().mapToLong(each -> each.bytes().length).sum())
        .isLessThan(8 << 20);
  }

  @Test
  void fewDatumsDoNotKeepALargeBuffer() {
    var pool = new BufferPool(() -> 64 << 20);
    TableDatums large = pool.borrowDatums();
    large.reserve(100_000)[0] = 7;
    large.add(10);

    TableDatums kept = pool.compacted(large);

    assertThat(kept.bytes().length).isLessThan(100);
    assertThat(kept.size()).isEqualTo(10);
    assertThat(kept.bytes()[0]).isEqualTo((byte) 7);
    assertThat(pool.borrowDatums()).isSameAs(large);
  }

  @Test
  void hugeBufferIsNotKeptForAQuarterOfItsSize() {
    var pool = new BufferPool(() -> 64 << 20);
    TableDatums huge = pool.borrowDatums();
    huge.reserve(4 << 20);
    huge.add(9_000);

    assertThat(pool.compacted(huge).bytes().length).isLessThan(10_000);
  }

  @Test
  void chunksWithTailsOfAnySizeReuseOneLargeBuffer() {
    var pool = new BufferPool(() -> 64 << 20);
    TableDatums first = pool.borrowDatums();
    first.reserve(100_000);
    pool.giveBack(first);

    for (int tail = 0; tail < 64 << 10; tail += 1_000) {
      TableDatums buffer = pool.borrowDatums();
      assertThat(buffer).as("before a tail of %d bytes", tail).isSameAs(first);
      buffer.add(tail);
      pool.giveBack(pool.compacted(buffer));
    }
  }

  private static List<TableDatums> borrowed(BufferPool pool, int count) {
    return IntStream.range(0, count).mapToObj(i -> pool.borrowDatums()).toList();
  }

  @Test
  void arraysAndBuffersShareOneLimit() {
    var pool = new BufferPool(() -> 10_000);
    byte[] array = pool.borrow(8192);
    TableDatums buffer = pool.borrowDatums();
    buffer.reserve(4096);
    pool.giveBack(array);
    pool.giveBack(buffer);

    assertThat(pool.borrowDatums()).isNotSameAs(buffer);
    assertThat(pool.borrow(8192)).isSameAs(array);
  }

  @Test
  void clearedPoolKeepsWhatIsGivenBackAfterwards() {
    var pool = new BufferPool(() -> 10_000);
    byte[] array = pool.borrow(8192);
    TableDatums buffer = pool.borrowDatums();
    pool.giveBack(array);
    pool.giveBack(buffer);

    pool.clear();

    byte[] other = pool.borrow(8192);
    assertThat(other).isNotSameAs(array);
    assertThat(pool.borrowDatums()).isNotSameAs(buffer);
    pool.giveBack(other);
    assertThat(pool.borrow(8192)).isSameAs(other);
  }

  @Test
  void blockThatIsReleasedCannotBeWrittenAndGivesItsMemoryBackOnce() throws IOException {
    var header =
        new ContainerFileHeader(
            Schema.create(Schema.Type.BYTES),
            BlockCodec.of("null"),
            Map.of(),
            ContainerFileHeader.newSync());
    var pool = new BufferPool(() -> 8 << 20);
    byte[] memory = pool.borrow(5000);
    var block = new Block(1, 5000, memory, 5000, pool);
    block.writeTo(new ByteArrayOutputStream(), header);

    block.release();
    block.release();

    assertThat(pool.borrow(5000)).isSameAs(memory);
    assertThat(pool.borrow(5000)).isNotSameAs(memory);
    assertThatThrownBy(() -> block.writeTo(new ByteArrayOutputStream(), header))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("released");
  }
}
