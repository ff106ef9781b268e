package io.tidemark.store.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.partitioner.PartitionedRecord;
import io.tidemark.partitioner.Partitioner;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CustomPartitionedTest {

  /** Its columns are those in its setting. */
  public static final class Told implements Partitioner {
    private List<String> columns = List.of();

    @Override
    public void configure(Map<String, String> settings) {
      columns = List.of(settings.getOrDefault("columns", "").split(",", -1));
    }

    @Override
    public List<String> columns() {
      return columns.equals(List.of("")) ? List.of() : columns;
    }

    @Override
    public List<String> values(PartitionedRecord record) {
      return List.of();
    }
  }

  /** It cannot be instantiated. */
  static final class WithoutConstructor implements Partitioner {
    @SuppressWarnings("UnusedMethod")
    private WithoutConstructor(String parameter) {
      throw new IllegalStateException(parameter);
    }

    @Override
    public List<String> columns() {
      return List.of();
    }

    @Override
    public List<String> values(PartitionedRecord record) {
      return List.of();
    }
  }

  /** It is not a partitioner, and its initializer leaves a trace. */
  static final class NoPartitioner {
    static {
      System.setProperty(NoPartitioner.class.getName(), "ran");
    }
  }

  @Test
  void classThatIsNoPartitionerIsNotInitialized() {
    assertThatThrownBy(() -> CustomPartitioned.load(NoPartitioner.class.getName(), Map.of()))
        .hasMessageContaining("does not implement");
    assertThat(System.getProperty(NoPartitioner.class.getName())).isNull();
  }

  @Test
  void classSaysItsColumnsAndFields() {
    CustomPartitioned loaded = CustomPartitioned.load(ByLength.class.getName(), Map.of());

    assertThat(loaded.columns()).containsExactly("source", "length");
    assertThat(loaded.fieldPaths()).containsExactly("key");
    assertThat(loaded.valuePaths()).containsExactly("key");
    assertThat(loaded.time()).isEmpty();
  }

  @Test
  void classThatIsNotThereIsToldWithWhereItBelongs() {
    refused("com.example.Missing", Map.of(), "Put its jar into the plugin's directory");
  }

  @Test
  void classThatIsNoPartitionerIsToldWhatToImplement() {
    refused("java.lang.String", Map.of(), "does not implement io.tidemark.partitioner");
  }

  @Test
  void classThatCannotBeMadeIsTold() {
    refused(WithoutConstructor.class.getName(), Map.of(), "no public constructor");
  }

  @Test
  void settingThatTheClassRefusesIsToldInItsWords() {
    refused(ByLength.class.getName(), Map.of("step", "0"), "step=0: it must be 1 or more");
  }

  @Test
  void columnsThatHiveCannotHaveAreTold() {
    for (String columns : List.of("", "A", "a,a", "_hidden", "1st", "a b", "x".repeat(129))) {
      refused(Told.class.getName(), Map.of("columns", columns), "columns()");
    }
    assertThat(CustomPartitioned.load(Told.class.getName(), Map.of("columns", "a,b_2")).columns())
        .containsExactly("a", "b_2");
  }

  private static void refused(String className, Map<String, String> settings, String problem) {
    assertThatThrownBy(() -> CustomPartitioned.load(className, settings))
        .as("%s %s", className, settings)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the class " + className)
        .hasMessageContaining(problem);
  }
}
