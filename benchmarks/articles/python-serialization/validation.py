"""Measures the cost of checking rows against their schema, in microseconds of CPU time a row."""

import json

import avro.io
import avro.schema
import fastavro.validation
import schematics.models
import schematics.types

from formats import fields_of, with_text_dates
from load import timed

KINDS = {
    "string": schematics.types.StringType,
    "int": schematics.types.IntType,
    "double": schematics.types.FloatType,
    "boolean": schematics.types.BooleanType,
}


def _schematics(rows, schema):
    fields = {}
    for field in fields_of(schema):
        kind = schematics.types.DateType if field.date else KINDS[field.kind]
        fields[field.name] = kind(required=not field.nullable)
    model = type("Flight", (schematics.models.Model,), fields)
    texts = with_text_dates([dict(row) for row in rows], schema)

    def check():
        for row in texts:
            model(row).validate()

    return check


def _avro(rows, schema):
    parsed = avro.schema.parse(json.dumps(schema))

    def check():
        for row in rows:
            if not avro.io.validate(parsed, row):
                raise SystemExit("avro refuses a good row")

    return check


def _fastavro(rows, schema):
    parsed = fastavro.parse_schema(schema)
    return lambda: fastavro.validation.validate_many(rows, parsed)


def measure(rows, schema):
    """Returns the microseconds a row of each Python validator, by name; dates in the rows are date objects."""
    found = {}
    for name, prepare in {"schematics": _schematics, "avro": _avro, "fastavro": _fastavro}.items():
        _, cpu, _ = timed(prepare(rows, schema))
        found[name] = cpu * 1e6 / len(rows)
    return found
