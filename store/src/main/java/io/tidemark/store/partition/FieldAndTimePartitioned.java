package io.tidemark.store.partition;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A table divided by fields, then by time: {@code region=west/dt=2026-11-21/hour=07} */
public record FieldAndTimePartitioned(FieldPartitioned byField, TimePartitioned byTime)
    implements PartitionSpec {

  public FieldAndTimePartitioned {
    for (String column : byTime.columns()) {
      if (byField.columns().contains(column)) {
        throw new IllegalArgumentException(
            "a field and path.format have the same partition column \"%s\". Rename the column in path.format"
                .formatted(column));
      }
    }
  }

  @Override
  public List<String> columns() {
    return Stream.concat(byField.columns().stream(), byTime.columns().stream()).toList();
  }

  /** Returns the fields of the columns, then the field with the time if it is not one of them. */
  @Override
  public List<String> fieldPaths() {
    return Stream.concat(byField.fieldPaths().stream(), byTime.fieldPaths().stream())
        .distinct()
        .toList();
  }

  @Override
  public List<String> valuePaths() {
    return byField.fieldPaths();
  }

  @Override
  public Optional<TimePartitioned> time() {
    return Optional.of(byTime);
  }
}
