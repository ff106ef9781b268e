package io.tidemark.avro.file;

import java.util.ArrayList;
import java.util.List;

/**
 * The uncompressed records after the last block of a file, in pages of one size. So a tail that
 * grows is not copied, and its pages are reused by the tails of other files. Only the first page
 * can be shorter: thousands of files may have a few records each. Not thread-safe.
 */
final class OpenTail {
  private static final int PAGE_BYTES = 4_096;

  private final BufferPool buffers;
  private List<byte[]> pages = new ArrayList<>();
  private int bytes;
  private long records;

  OpenTail(BufferPool buffers) {
    this.buffers = buffers;
  }

  /** Returns the size of the records in bytes. */
  int bytes() {
    return bytes;
  }

  /** Returns the number of records. */
  long records() {
    return records;
  }

  /** Appends a copy of some records. */
  void append(byte[] source, int offset, int length, long count) {
    int end = Math.addExact(bytes, length);
    int from = offset;
    while (bytes < end) {
      int begin = bytes % PAGE_BYTES;
      int part = Math.min(PAGE_BYTES - begin, end - bytes);
      System.arraycopy(source, from, page(begin, part), begin, part);
      from += part;
      bytes += part;
    }
    records += count;
  }

  /** Returns the last page, with room for {@code part} bytes beginning at {@code begin}. */
  private byte[] page(int begin, int part) {
    int last = pages.size() - 1;
    if (begin == 0) {
      pages.add(last < 0 ? newPage(part) : buffers.borrow(PAGE_BYTES));
      return pages.get(last + 1);
    }
    byte[] page = pages.get(last);
    if (begin + part > page.length) {
      byte[] longer = newPage(Math.max(begin + part, 2 * page.length));
      System.arraycopy(page, 0, longer, 0, begin);
      pages.set(last, longer);
    }
    return pages.get(last);
  }

  private byte[] newPage(int length) {
    return length < PAGE_BYTES ? new byte[length] : buffers.borrow(PAGE_BYTES);
  }

  /** Removes the records and returns them. Another thread may use the result. */
  Sealed seal() {
    var sealed = new Sealed(buffers, pages, bytes, records);
    pages = new ArrayList<>();
    bytes = 0;
    records = 0;
    return sealed;
  }

  /**
   * The records of one block.
   *
   * @param pages pages of one size, of which the last is not full; or one array with all records
   */
  record Sealed(BufferPool buffers, List<byte[]> pages, int bytes, long records) {
    /** Returns a copy of records that fill a block. */
    static Sealed copyOf(BufferPool buffers, byte[] source, int offset, int length, long count) {
      byte[] copy = buffers.borrow(length);
      System.arraycopy(source, offset, copy, 0, length);
      return new Sealed(buffers, List.of(copy), length, count);
    }

    /**
     * Compresses the records into a block, and returns their memory to the pool. Call it once.
     *
     * @param first the index of the block's first record in the file
     * @throws BlockFailedException if the records cannot be compressed
     */
    Block compress(CompressorPool compressors, long first) {
      byte[] joined = pages.size() == 1 ? pages.get(0) : joined();
      Block block = compressors.block(first, records, joined, 0, bytes);
      buffers.giveBack(joined);
      return block;
    }

    private byte[] joined() {
      byte[] joined = buffers.borrow(bytes);
      for (int begin = 0; begin < bytes; begin += PAGE_BYTES) {
        byte[] page = pages.get(begin / PAGE_BYTES);
        System.arraycopy(page, 0, joined, begin, Math.min(PAGE_BYTES, bytes - begin));
        buffers.giveBack(page);
      }
      return joined;
    }
  }
}
