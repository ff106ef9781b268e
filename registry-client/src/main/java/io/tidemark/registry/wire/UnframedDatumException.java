package io.tidemark.registry.wire;

import java.util.HexFormat;

/**
 * A record value has no schema id in front of it that we can read. The record's fault: it was
 * written by a serializer that frames otherwise, or not at all.
 */
public final class UnframedDatumException extends Exception {
  private static final long serialVersionUID = 1L;
  private static final int SHOWN_BYTES = 16;

  private UnframedDatumException(String message) {
    super(message);
  }

  static UnframedDatumException of(byte[] value) {
    return new UnframedDatumException(
        "no schema id in front of a value of "
            + value.length
            + " bytes"
            + shown(value)
            + ": expected a byte 00 and 4 bytes of id. "
            + cause(value)
            + " Configure the producer for Confluent's Avro serializer, or send such records to a"
            + " dead letter topic.");
  }

  private static String shown(byte[] value) {
    if (value.length == 0) {
      return "";
    }
    int end = Math.min(value.length, SHOWN_BYTES);
    String hex = HexFormat.ofDelimiter(" ").formatHex(value, 0, end);
    return " (" + hex + (end < value.length ? " ..." : "") + ")";
  }

  private static String cause(byte[] value) {
    if (value.length < WireFormat.DATUM_OFFSET) {
      return "The value is too short to be framed.";
    }
    return switch (value[0]) {
      case 1 -> "The value seems to carry a schema GUID (byte 01), which is not read yet.";
      case '{', '[' -> "The value looks like JSON.";
      default -> "The producer used another serializer.";
    };
  }
}
