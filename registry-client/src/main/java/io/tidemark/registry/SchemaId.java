package io.tidemark.registry;

import java.io.Serializable;

/**
 * The number under which a registry keeps a schema. Registries count from 1; any other int can
 * stand in front of a damaged record, and is then unknown.
 */
public record SchemaId(int value) implements Serializable {

  @Override
  public String toString() {
    return Integer.toString(value);
  }
}
