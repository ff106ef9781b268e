"""Prints the records of a table's files, as fastavro reads them with the table's schema: a line of JSON for each.

What JSON has no exact form for is printed as what it is made of: bytes and fixed as hexadecimal digits, float and
double as the hexadecimal digits of the double's bits, logical types as the number or the bytes below them.

Usage: print_rows.py SCHEMA_FILE DIRECTORY
"""

import json
import os
import struct
import sys

try:
    import cramjam  # noqa: F401, fastavro finds it by itself
    import fastavro
    import fastavro.read
except ImportError as missing:
    sys.exit(
        f"{missing.name} is missing in {sys.executable}. Install all it needs for the first Python 3 on the PATH:"
        " python3 -m pip install -r fast-avro/src/test/python/requirements.txt; or run .ci/full, which does."
    )


def plain(value):
    if isinstance(value, dict):
        return {name: plain(field) for name, field in sorted(value.items())}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, float):
        return struct.pack(">d", value).hex()
    return value


def main():
    # The old sink's files have lost some logical types.
    fastavro.read.LOGICAL_READERS.clear()
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = fastavro.parse_schema(json.load(file))
    for name in os.listdir(sys.argv[2]):
        with open(os.path.join(sys.argv[2], name), "rb") as file:
            for record in fastavro.reader(file, reader_schema=schema):
                print(json.dumps(plain(record)))


main()
