package io.tidemark.store.table;

import io.tidemark.avro.mapping.SchemaMapping;
import io.tidemark.store.schema.HiveSchema;
import io.tidemark.store.schema.SchemaRules;
import java.util.Optional;

/**
 * The options of one table other than its location and its layout. They may change from one
 * configuration to the next. An empty compression is the default of the connector.
 */
public record TableOptions(
    Optional<Compression> compression,
    boolean reckoned,
    boolean successFiles,
    boolean emptyPartitions,
    boolean inHive,
    SchemaMapping mapping,
    SchemaRules schemaRules) {

  /** The mapping of a table in Hive without settings of its own. */
  public static final SchemaMapping DEFAULT_MAPPING =
      SchemaMapping.builder().decimals(HiveSchema.DECIMAL_MAX_PRECISION, false).build();

  public static final TableOptions DEFAULT = ofSuccessFiles(true);

  /** Returns the options of a table that only may have no success files. */
  public static TableOptions ofSuccessFiles(boolean written) {
    return new TableOptions(
        Optional.empty(), true, written, false, true, DEFAULT_MAPPING, SchemaRules.DEFAULT);
  }

  /** Returns whether topics can share the table; their compression may differ. */
  public boolean agreesWith(TableOptions other) {
    return reckoned == other.reckoned
        && successFiles == other.successFiles
        && emptyPartitions == other.emptyPartitions
        && inHive == other.inHive
        && mapping.equals(other.mapping)
        && schemaRules.equals(other.schemaRules);
  }
}
