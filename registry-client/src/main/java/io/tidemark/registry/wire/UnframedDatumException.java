package io.tidemark.registry.wire;

import java.util.HexFormat;

/**
 * A record has no schema id, in front of its value or in a header, that we can read. The record's
 * fault: it was written by a serializer that frames otherwise, or not at all.
 */
public final class UnframedDatumException extends Exception {
  private static final long serialVersionUID = 1L;
  private static final int SHOWN_BYTES = 16;

  private UnframedDatumException(String message) {
    super(message);
  }

  /** A value where only an int32 is read. */
  static UnframedDatumException ofInt32(byte[] value) {
    return ofValue(value, "a byte 00 and 4 bytes of id");
  }

  /** A value where an int32 or a GUID is read. */
  static UnframedDatumException of(byte[] value) {
    return ofValue(value, "a byte 00 and 4 bytes of id, or a byte 01 and 16 bytes of GUID");
  }

  private static UnframedDatumException ofValue(byte[] value, String expected) {
    return new UnframedDatumException(
        "no schema id in front of a value of "
            + value.length
            + " bytes"
            + shown(value)
            + ": expected "
            + expected
            + ". "
            + cause(value)
            + " Configure the producer for Confluent's Avro serializer, or send such records to a"
            + " dead letter topic.");
  }

  /** A value where another format than Confluent's is read. */
  static UnframedDatumException ofOther(byte[] value, String expected) {
    return new UnframedDatumException(
        "no schema id in front of a value of "
            + value.length
            + " bytes"
            + shown(value)
            + ": expected "
            + expected
            + ". The producer frames its records otherwise. Configure the format that it writes, or"
            + " send such records to a dead letter topic.");
  }

  static UnframedDatumException ofHeader(byte[] header) {
    return new UnframedDatumException(
        "no schema id in a header of "
            + header.length
            + " bytes"
            + shown(header)
            + ": expected a byte 00 and 4 bytes of id, or a byte 01 and 16 bytes of GUID, and no"
            + " more. The producer used another serializer, or the header is damaged. Configure the"
            + " producer for Confluent's Avro serializer, or send such records to a dead letter"
            + " topic.");
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
      case WireFormat.GUID ->
          value.length < WireFormat.GUID_DATUM_OFFSET
              ? "The value is too short for the schema GUID that its first byte announces."
              : "The value seems to carry a schema GUID, which is not read here.";
      case '{', '[' -> "The value looks like JSON.";
      default -> "The producer used another serializer.";
    };
  }
}
