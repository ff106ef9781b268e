"""Prints the records of an Avro container file, as fastavro reads them: a line of JSON for each, in file order.

What JSON has no exact form for is printed as what it is made of: bytes and fixed as hexadecimal digits, float and
double as the hexadecimal digits of the double's bits, logical types as the number or the bytes below them.

Usage: print_rows.py FILE
"""

import json
import struct
import sys

try:
    import cramjam  # noqa: F401, fastavro finds it by itself
    import fastavro
    import fastavro.read
except ImportError as missing:
    sys.exit(
        f"{missing.name} is missing in {sys.executable}. Install all it needs for the first Python 3 on the PATH:"
        " python3 -m pip install -r fast-avro/src/test/python/requirements.txt; or run .ci/run, which does."
    )

def plain(value):
    if isinstance(value, dict):
        return {name: plain(field) for name, field in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, float):
        return struct.pack(">d", value).hex()
    return value


def main():
    fastavro.read.LOGICAL_READERS.clear()
    with open(sys.argv[1], "rb") as file:
        for record in fastavro.reader(file):
            print(json.dumps(plain(record)))


main()
