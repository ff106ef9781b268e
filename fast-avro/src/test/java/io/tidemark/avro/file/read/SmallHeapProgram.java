package io.tidemark.avro.file.read;

import com.github.luben.zstd.ZstdOutputStream;
import io.tidemark.avro.file.BlockCodec;
import io.tidemark.avro.file.ContainerFileHeader;
import io.tidemark.avro.object.FastDatumReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;

/** A program with a small heap that reads files whose blocks decompress to 256 MiB. */
final class SmallHeapProgram {
  private static final int BLOCK_BYTES = 256 << 20;
  private static final int BLOCKS = 40;
  private static final byte[] SYNC = new byte[ContainerFileHeader.SYNC_BYTES];

  private SmallHeapProgram() {}

  /** Prints each codec whose file was refused as documented. */
  public static void main(String[] arguments) throws IOException {
    Path directory = Path.of(arguments[0]);
    for (String codec : new String[] {"deflate", "zstandard", "null"}) {
      Path file = directory.resolve(codec + ".avro");
      if (codec.equals("null")) {
        writeLarge(file);
      } else {
        writeSmall(file, codec);
      }
      for (int parallelism : new int[] {2, 16}) {
        try (var reader =
            FastDataFileReader.builder()
                .parallelism(parallelism)
                .open(file)
                .objects(new FastDatumReader<>())) {
          while (reader.hasNext()) {
            reader.next();
          }
          System.out.println(codec + " was read");
        } catch (org.apache.avro.AvroRuntimeException e) {
          System.out.println(
              codec
                  + " "
                  + parallelism
                  + " "
                  + Objects.requireNonNull(e.getCause()).getClass().getName());
        }
      }
    }
  }

  private static ContainerFileHeader header(String codec) {
    return new ContainerFileHeader(
        Schema.create(Schema.Type.BYTES), BlockCodec.of(codec), Map.of(), SYNC);
  }

  private static void writeSmall(Path file, String codec) throws IOException {
    ContainerFileHeader header = header(codec);
    byte[] block = compressedZeros(codec);
    try (OutputStream out = Files.newOutputStream(file)) {
      out.write(header.encoded());
      for (int i = 0; i < BLOCKS; i++) {
        out.write(numbers(1, block.length));
        out.write(block);
        out.write(SYNC);
      }
    }
  }

  private static byte[] compressedZeros(String codec) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (OutputStream out =
        codec.equals("deflate")
            ? new DeflaterOutputStream(bytes, new Deflater(-1, true))
            : new ZstdOutputStream(bytes)) {
      byte[] zeros = new byte[1 << 20];
      for (int written = 0; written < BLOCK_BYTES; written += zeros.length) {
        out.write(zeros);
      }
    }
    return bytes.toByteArray();
  }

  /** A file with a hole: the block needs no space on the disk. */
  private static void writeLarge(Path file) throws IOException {
    ContainerFileHeader header = header("null");
    try (var out = new RandomAccessFile(file.toFile(), "rw")) {
      out.write(header.encoded());
      out.write(numbers(1, BLOCK_BYTES));
      out.seek(out.getFilePointer() + BLOCK_BYTES);
      out.write(SYNC);
    }
  }

  private static byte[] numbers(long records, long bytes) throws IOException {
    var out = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(out, null);
    encoder.writeLong(records);
    encoder.writeLong(bytes);
    encoder.flush();
    return out.toByteArray();
  }
}
