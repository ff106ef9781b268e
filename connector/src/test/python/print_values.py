"""Prints the rows that fastavro reads from files of a table, as one JSON document: {"types": {...}, "rows": [{...}, ...]}.

Usage: print_values.py SCHEMA_FILE FILE...
"""

import json
import sys

from values import plain

try:
    import cramjam  # noqa: F401, fastavro finds it by itself
    import fastavro
except ImportError as missing:
    sys.exit(
        f"{missing.name} is missing in {sys.executable}. Install all it needs for the first Python 3 on the PATH:"
        " python3 -m pip install -r connector/src/test/python/requirements.txt; or run .ci/run, which does."
    )


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
