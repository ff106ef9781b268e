"""Prints the rows that fastavro reads from files of a table, as one JSON document: {"types": {...}, "rows": [{...}, ...]}.

A leaf says what it is, as the Java class ShownValue does: "int 7", "decimal 12.5", "date 2026-11-21".

Usage: print_values.py SCHEMA_FILE FILE...
"""

import datetime
import decimal
import json
import struct
import sys
import uuid

try:
    import cramjam  # noqa: F401, fastavro finds it by itself
    import fastavro
except ImportError as missing:
    sys.exit(
        f"{missing.name} is missing in {sys.executable}. Install all it needs for the first Python 3 on the PATH:"
        " python3 -m pip install -r fast-avro/src/test/python/requirements.txt; or run .ci/run, which does."
    )


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
        return "decimal " + (format(value.normalize(), "f") if value else "0")
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


def type_name(value):
    kind = type(value)
    name = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    return name + " with tzinfo" if getattr(value, "tzinfo", None) else name


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = fastavro.parse_schema(json.load(file))
    types = {}
    rows = []
    for path in sys.argv[2:]:
        with open(path, "rb") as file:
            for row in fastavro.reader(file, reader_schema=schema):
                rows.append(plain(row))
                for name, value in row.items():
                    if value is not None:
                        types.setdefault(name, set()).add(type_name(value))
    print(
        json.dumps(
            {
                "types": {name: ", ".join(sorted(types.get(name, {"None"}))) for name in rows[0]},
                "rows": rows,
            }
        )
    )


main()
