"""Prints the rows that DuckDB or Polars reads from files, as one JSON document:
{"types": {...}, "rows": [{...}, ...], "errors": {COLUMN: WHY, ...}}.

Each group of columns has files of its own. A process of its own reads them: a reader that ends its process, or recurses
for ever, does not end the others.

Usage: print_columns.py duckdb|duckdb-list|polars REQUEST_FILE, which is [{"columns": [...], "files": [...]}, ...]
"""

import json
import os
import sys

from values import plain

SECONDS = 20

try:
    if sys.argv[1].startswith("duckdb"):
        import duckdb
        import duckdb_extension_avro
    else:
        import polars
except ImportError as missing:
    sys.exit(
        f"{missing.name} is missing in {sys.executable}. Install all it needs for the first Python 3 on the PATH:"
        " python3 -m pip install -r connector/src/test/python/requirements.txt; or run .ci/run, which does."
    )


def of_duckdb(files):
    return of_duckdb_table("(" + " UNION ALL BY NAME ".join(f"FROM read_avro('{file}')" for file in files) + ")")


def of_duckdb_list(files):
    return of_duckdb_table(f"read_avro({files})")


def of_duckdb_table(table):
    # It would ask its own host for the extension.
    connection = duckdb.connect(config={"autoinstall_known_extensions": False})
    package = os.path.dirname(duckdb_extension_avro.__file__)
    extension = os.path.join(package, "extensions", f"v{duckdb.__version__}", "avro.duckdb_extension")
    connection.execute(f"LOAD '{extension}'")
    types = {row[0]: row[1] for row in connection.execute(f"DESCRIBE SELECT * FROM {table}").fetchall()}
    # As text, because Python's own classes have neither nanoseconds nor all years.
    shown = [
        f'CAST("{name}" AS VARCHAR)' if kind == "DATE" or kind.startswith("TIMESTAMP") else f'"{name}"'
        for name, kind in types.items()
    ]
    rows = connection.execute(f"SELECT {', '.join(shown)} FROM {table}").fetchall()
    return types, [
        {name: duckdb_value(kind, value) for (name, kind), value in zip(types.items(), row)} for row in rows
    ]


def duckdb_value(kind, value):
    if value is None or not (kind == "DATE" or kind.startswith("TIMESTAMP")):
        return plain(value)
    if kind == "DATE":
        return "date " + value
    zoned = kind == "TIMESTAMP WITH TIME ZONE"
    text = value.removesuffix("+00") if zoned else value
    second, _, fraction = text.replace(" ", "T").partition(".")
    return ("instant " if zoned else "local ") + second + "." + fraction.ljust(9, "0")


def of_polars(files):
    table = polars.concat([polars.read_avro(file) for file in files], how="diagonal_relaxed")
    columns = {name: [plain(value) for value in table[name].to_list()] for name in table.columns}
    types = {name: str(kind) for name, kind in table.schema.items()}
    return types, [dict(zip(columns, row)) for row in zip(*columns.values())]


READERS = {"duckdb": of_duckdb, "duckdb-list": of_duckdb_list, "polars": of_polars}


def of_child(read, files):
    """The types and rows, or what kept a child process from reading them."""
    from_child, to_parent = os.pipe()
    child = os.fork()
    if child == 0:
        import signal

        os.close(from_child)
        signal.alarm(SECONDS)
        try:
            types, rows = read(files)
            if len({row["seq"] for row in rows}) != len(rows):
                raise AssertionError("a row is there twice")
            answer = {"types": types, "rows": rows}
        except BaseException as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        with os.fdopen(to_parent, "w") as output:
            json.dump(answer, output)
        os._exit(0)
    os.close(to_parent)
    with os.fdopen(from_child) as answer:
        text = answer.read()
    _, status = os.waitpid(child, 0)
    return json.loads(text) if text else {"error": f"its process ended with the status {status}"}


def main():
    types, rows, errors = {}, {}, {}
    with open(sys.argv[2], encoding="utf-8") as file:
        groups = json.load(file)
    for group in groups:
        answer = of_child(READERS[sys.argv[1]], group["files"])
        if "error" in answer:
            errors.update({column: answer["error"] for column in group["columns"]})
            continue
        types.update(answer["types"])
        for row in answer["rows"]:
            rows.setdefault(row["seq"], {}).update(row)
    print(json.dumps({"types": types, "rows": list(rows.values()), "errors": errors}))


main()
