"""Values of Python in the form in which the answers of all readers are compared.

A leaf says what it is, as the Java class ShownValue does: "int 7", "decimal 12.5", "date 2026-11-21".
"""

import datetime
import decimal
import struct
import uuid


def plain(value):
    if value is None:
        return None
    if isinstance(value, dict):
        return {name: plain(part) for name, part in value.items()}
    if isinstance(value, list):
        return [plain(part) for part in value]
    if isinstance(value, bool):
        return "boolean " + str(value).lower()
    if isinstance(value, int):
        return f"int {value}"
    if isinstance(value, float):
        return "real " + ("7ff8000000000000" if value != value else struct.pack(">d", value).hex())
    if isinstance(value, bytes):
        return "bytes " + value.hex()
    if isinstance(value, decimal.Decimal):
        # Decimal.normalize() would round to 28 digits.
        digits = format(value, "f")
        return "decimal " + (digits.rstrip("0").rstrip(".") if value and "." in digits else digits if value else "0")
    if isinstance(value, datetime.datetime):
        if value.tzinfo is None:
            return "local " + value.isoformat(timespec="microseconds") + "000"
        utc = value.astimezone(datetime.timezone.utc).replace(tzinfo=None)
        return "instant " + utc.isoformat(timespec="microseconds") + "000"
    if isinstance(value, datetime.date):
        return "date " + value.isoformat()
    if isinstance(value, datetime.time):
        return "time " + value.isoformat(timespec="microseconds") + "000"
    if isinstance(value, uuid.UUID):
        return f"uuid {value}"
    return f"text {value}"
