"""Decodes the datums of a file with fastavro into dicts, and prints the nanoseconds a datum.

    decode.py quotes.datums 0.5 1

The first 0.5 s are a warm-up, the next 1 s is measured. In the file, each datum follows its length (4 bytes, little
endian). The schema is in a second file, quotes.datums.avsc.
"""

import io
import json
import pathlib
import struct
import sys
import time

import fastavro


def datums(content):
    found = []
    at = 0
    while at < len(content):
        (length,) = struct.unpack_from("<I", content, at)
        found.append(content[at + 4 : at + 4 + length])
        at += 4 + length
    return found


def ns_per_datum(seconds, given, schema):
    begin = time.perf_counter()
    done = 0
    while True:
        for at in range(0, len(given), 100):  # A pass is slow, so the clock is read after 100 datums.
            some = given[at : at + 100]
            for datum in some:
                fastavro.schemaless_reader(io.BytesIO(datum), schema, None)
            done += len(some)
            elapsed = time.perf_counter() - begin
            if elapsed >= seconds:
                return elapsed * 1e9 / done


def main():
    file = sys.argv[1]
    given = datums(pathlib.Path(file).read_bytes())
    schema = fastavro.parse_schema(json.loads(pathlib.Path(f"{file}.avsc").read_text()))
    ns_per_datum(float(sys.argv[2]), given, schema)
    print(ns_per_datum(float(sys.argv[3]), given, schema))


if __name__ == "__main__":
    main()
