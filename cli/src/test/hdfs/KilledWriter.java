import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream.SyncFlag;

/**
 * Writes a file to HDFS, as the old sink writes its log, and ends at once, as if it were killed. The
 * file stays open: the name node lists its first bytes, and a reader sees all of them.
 *
 * <p>Usage: {@code KilledWriter URL PATH CONTENT_FILE LISTED_BYTES}
 */
public final class KilledWriter {
  public static void main(String[] arguments) throws Exception {
    Configuration conf = new Configuration();
    conf.set("fs.defaultFS", arguments[0]);
    byte[] content = Files.readAllBytes(Path.of(arguments[2]));
    int listed = Integer.parseInt(arguments[3]);
    HdfsDataOutputStream file =
        (HdfsDataOutputStream)
            FileSystem.get(conf).create(new org.apache.hadoop.fs.Path(arguments[1]));
    file.write(Arrays.copyOf(content, listed));
    file.hsync(EnumSet.of(SyncFlag.UPDATE_LENGTH));
    file.write(content, listed, content.length - listed);
    file.hsync();
    Runtime.getRuntime().halt(0);
  }
}
