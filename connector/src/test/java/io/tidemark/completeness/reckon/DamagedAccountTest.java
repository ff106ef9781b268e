package io.tidemark.completeness.reckon;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.pipeline.OtherProgram;
import io.tidemark.store.StoragePath;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Log lines about damaged accounts. The test uses a separate JVM, because the levels of the log are
 * set at the start of a JVM.
 */
class DamagedAccountTest {
  private static final String BEFORE = "00000000000001-00000000-0000-0001-0000-000000000001.json";
  private static final String AFTER = "00000000000002-00000000-0000-0001-0000-000000000002.json";

  @TempDir Path directory;

  /** Runs a reckoner with one account that is damaged before its claim, and one after it. */
  public static void main(String[] arguments) throws Exception {
    ReckonedWorld world = new ReckonedWorld();
    Reckoner reckoner = world.reckoner("w1");
    putDamaged(world, BEFORE);
    world.run(reckoner, Duration.ofMinutes(2));
    putDamaged(world, AFTER);
    world.run(reckoner, Duration.ofMinutes(2));
  }

  private static void putDamaged(ReckonedWorld world, String name) throws Exception {
    StoragePath inbox = world.folders().inbox();
    world.storage().makeDirectories(inbox);
    try (OutputStream out = world.storage().create(inbox.child(name))) {
      out.write("{".getBytes(UTF_8));
    }
  }

  @Test
  void eachDamagedAccountIsLoggedOnceAlsoIfItWasDamagedBeforeTheClaim() throws Exception {
    String said = OtherProgram.run(DamagedAccountTest.class, directory.resolve("output"));

    for (String name : new String[] {BEFORE, AFTER}) {
      assertThat(said.lines().filter(line -> line.contains(name)))
          .as(name)
          .singleElement()
          .asString()
          .contains("WARN", "the account cannot be read");
    }
  }
}
