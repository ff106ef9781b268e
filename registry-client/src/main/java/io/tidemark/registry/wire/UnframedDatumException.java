package io.tidemark.registry.wire;

import java.util.HexFormat;

/**
 * Thrown if a record has no schema id, neither at the start of its value nor in a header, or if the
 * header is malformed. The record was written with another serializer, or in another format.
 */
public final class UnframedDatumException extends Exception {
  private static final long serialVersionUID = 1L;
  private static final int SHOWN_BYTES = 16;

  private UnframedDatumException(String message) {
    super(message);
  }

  /** Returns the exception for a value where an int32 was expected. */
  static UnframedDatumException ofInt32(byte[] value) {
    return ofValue(value, "a byte 00 and 4 bytes of id");
  }

  /** Returns the exception for a value where an int32 or a GUID was expected. */
  static UnframedDatumException of(byte[] value) {
    return ofValue(value, "a byte 00 and 4 bytes of id, or a byte 01 and 16 bytes of GUID");
  }

  private static UnframedDatumException ofValue(byte[] value, String expected) {
    return new UnframedDatumException(
        "no schema id at the start of a value of "
            + value.length
            + " bytes"
            + shown(value)
            + ": expected "
            + expected
            + ". "
            + cause(value)
            + " Configure the producer for Confluent's Avro serializer, or skip such"
            + " records.");
  }

  /** Returns the exception for a value where a format other than Confluent's was expected. */
  static UnframedDatumException ofOther(byte[] value, String expected) {
    return new UnframedDatumException(
        "no schema id at the start of a value of "
            + value.length
            + " bytes"
            + shown(value)
            + ": expected "
            + expected
            + ". The producer uses another format. Configure the format that it writes, or"
            + " skip such records.");
  }

  static UnframedDatumException ofHeader(byte[] header) {
    return new UnframedDatumException(
        "no schema id in a header of "
            + header.length
            + " bytes"
            + shown(header)
            + ": expected a byte 00 and 4 bytes of id, or a byte 01 and 16 bytes of GUID, and no"
            + " more. The producer used another serializer, the header is damaged, or Connect's"
            + " header.converter is not the ByteArrayConverter. Configure the producer for"
            + " Confluent's Avro serializer, correct the converter, or skip such records.");
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
      return "The value is too short for a schema id.";
    }
    return switch (value[0]) {
      case WireFormat.GUID ->
          value.length < WireFormat.GUID_DATUM_OFFSET
              ? "The value is too short for the schema GUID that its first byte indicates."
              : "The value may begin with a schema GUID, which is not supported here.";
      case '{', '[' -> "The value looks like JSON.";
      default ->
          "The producer used another serializer, or Apicurio's, whose ids are in other headers unless"
              + " apicurio.registry.headers.enabled=false.";
    };
  }
}
