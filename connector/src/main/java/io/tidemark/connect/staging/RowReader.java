package io.tidemark.connect.staging;

import io.tidemark.avro.binary.MalformedDatumException;
import io.tidemark.avro.plan.PlanInterpreter;
import io.tidemark.avro.plan.TableDatum;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.wire.Framing;
import io.tidemark.registry.wire.SchemaIdReader;
import io.tidemark.registry.wire.UnframedDatumException;
import io.tidemark.store.batch.IncomingRecord;
import io.tidemark.store.batch.RecordKey;
import io.tidemark.store.schema.KeyColumns;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Creates rows from records, one after the other. Not thread-safe. */
public final class RowReader {
  private static final byte[] NO_BYTES = {};

  private final KeyColumns columns;
  private final SchemaIdReader keyIds;
  private final SchemaIdReader valueIds;
  private final Map<SchemaId, PlanInterpreter> keys;
  private final TableDatum keyDatum = new TableDatum();
  private @Nullable Framing lastKey;
  private @Nullable Framing lastValue;
  private @Nullable Framing last;

  RowReader(
      KeyColumns columns,
      SchemaIdReader keyIds,
      SchemaIdReader valueIds,
      Map<SchemaId, PlanInterpreter> keys) {
    this.columns = columns;
    this.keyIds = keyIds;
    this.valueIds = valueIds;
    this.keys = keys;
  }

  /** A record to land, with the bytes in front of its datum, and the framing of key and value. */
  public record Row(IncomingRecord record, Framing framing) {}

  /** Reads a record that has a key or a value; throws if one of them has no schema id. */
  public Row read(IncomingRecord record) throws UnframedDatumException {
    RecordKey key = record.key();
    byte[] value = record.value();
    Framing ofKey = null;
    if (key != null && columns.format() == KeyColumns.Format.AVRO) {
      ofKey = keyIds.read(key.idHeader(), key.bytes());
    }
    Framing ofValue = value == null ? null : valueIds.read(record.idHeader(), value);
    byte[] inFront =
        columns.bytes(
            record.columns(),
            key == null ? null : key.bytes(),
            ofKey == null ? 0 : ofKey.datumOffset(),
            value == null);
    IncomingRecord row =
        new IncomingRecord(
            record.offset(),
            record.timestamp(),
            record.idHeader(),
            value == null ? NO_BYTES : value,
            record.batchId(),
            record.delivered(),
            inFront,
            key);
    return new Row(row, framing(ofKey, ofValue));
  }

  /** Shares equal framings: each object stays on the heap as long as its chunk. */
  @SuppressWarnings("ReferenceEquality") // the readers return the same object for the same id
  private Framing framing(@Nullable Framing ofKey, @Nullable Framing ofValue) {
    Framing known = last;
    if (known == null || ofKey != lastKey || ofValue != lastValue) {
      known =
          new Framing(
              new SchemaId.OfKeyAndValue(
                  Optional.ofNullable(ofKey).map(Framing::id),
                  Optional.ofNullable(ofValue).map(Framing::id)),
              ofValue == null ? 0 : ofValue.datumOffset());
      last = known;
      lastKey = ofKey;
      lastValue = ofValue;
    }
    return known;
  }

  /**
   * Returns why a key cannot be in a row: the value's datum would not begin at the key's end. Empty
   * if it can. Call this method when the schema of the row is known.
   */
  public Optional<String> problem(Row row) {
    RecordKey key = row.record().key();
    if (key == null) {
      return Optional.empty();
    }
    if (columns.format() == KeyColumns.Format.STRING) {
      return KeyColumns.isText(key.bytes())
          ? Optional.empty()
          : Optional.of(
              "its key is not valid UTF-8. Set columns.key.format to the format of the keys.");
    }
    SchemaId.OfKeyAndValue ids = (SchemaId.OfKeyAndValue) row.framing().id();
    SchemaId id = ids.key().orElseThrow();
    PlanInterpreter check = keys.get(id);
    if (check == null || isWhole(check, key)) {
      return Optional.empty();
    }
    return Optional.of(
        "its key does not match %s: the producer wrote it with another schema, or its bytes were damaged. Correct the producer."
            .formatted(id));
  }

  private boolean isWhole(PlanInterpreter check, RecordKey key) {
    try {
      int from = keyIds.read(key.idHeader(), key.bytes()).datumOffset();
      check.run(key.bytes(), from, key.bytes().length - from, keyDatum);
      return true;
    } catch (MalformedDatumException | UnframedDatumException e) {
      return false;
    }
  }
}
