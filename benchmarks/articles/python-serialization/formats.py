"""Serialization formats. Each saves a list of dicts into a file and loads the list again.

Formats without a date type get dates as text, as in the article.
"""

import csv
import datetime
import json
import pathlib
import tempfile

import avro.datafile
import avro.io
import avro.schema
import capnp
import fastavro
import msgpack
import ujson
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

capnp.remove_import_hook()


class Field:
    """A column: its name, its type, and whether it may be empty."""

    def __init__(self, avro_field):
        kind = avro_field["type"]
        self.name = avro_field["name"]
        self.nullable = isinstance(kind, list)
        kind = kind[1] if self.nullable else kind
        self.date = isinstance(kind, dict)
        self.kind = "string" if self.date else kind


def fields_of(schema):
    return [Field(each) for each in schema["fields"]]


def with_text_dates(rows, schema):
    dates = [field.name for field in fields_of(schema) if field.date]
    for row in rows:
        for name in dates:
            row[name] = row[name].isoformat()
    return rows


class Format:
    dates_as_text = True

    def __init__(self, schema):
        self.schema = schema
        self.names = [field.name for field in fields_of(schema)]

    def sample(self, rows):
        """Returns every 997th row as texts, to compare it with the same row of other formats."""
        some = (self.as_dict(rows[i]) for i in range(0, len(rows), 997))
        return [[_text(row[name]) for name in self.names] for row in some]

    def as_dict(self, row):
        return row


def _text(value):
    if isinstance(value, datetime.date):
        return value.isoformat()
    return "" if value is None else str(value)


class Csv(Format):
    def save(self, rows, file):
        with open(file, "w", newline="") as out:
            writer = csv.DictWriter(out, self.names)
            writer.writeheader()
            writer.writerows(rows)

    def load(self, file):
        with open(file, newline="") as lines:
            return list(csv.DictReader(lines))


class Json(Format):
    library = json

    def save(self, rows, file):
        with open(file, "w") as out:
            self.library.dump(rows, out)

    def load(self, file):
        with open(file) as content:
            return self.library.load(content)


class JsonLines(Format):
    library = json

    def save(self, rows, file):
        with open(file, "w") as out:
            for row in rows:
                out.write(self.library.dumps(row))
                out.write("\n")

    def load(self, file):
        with open(file) as lines:
            return [self.library.loads(line) for line in lines]


class UltraJson(Json):
    library = ujson


class UltraJsonLines(JsonLines):
    library = ujson


class Msgpack(Format):
    def save(self, rows, file):
        with open(file, "wb") as out:
            msgpack.pack(rows, out)

    def load(self, file):
        with open(file, "rb") as content:
            return msgpack.unpack(content)


class MsgpackStream(Format):
    def save(self, rows, file):
        packer = msgpack.Packer()
        with open(file, "wb") as out:
            for row in rows:
                out.write(packer.pack(row))

    def load(self, file):
        with open(file, "rb") as content:
            return list(msgpack.Unpacker(content))


class Avro(Format):
    dates_as_text = False

    def save(self, rows, file):
        schema = avro.schema.parse(json.dumps(self.schema))
        with avro.datafile.DataFileWriter(open(file, "wb"), avro.io.DatumWriter(), schema) as out:
            for row in rows:
                out.append(row)

    def load(self, file):
        with avro.datafile.DataFileReader(open(file, "rb"), avro.io.DatumReader()) as rows:
            return list(rows)


class FastAvro(Format):
    dates_as_text = False

    def save(self, rows, file):
        with open(file, "wb") as out:
            fastavro.writer(out, self.schema, rows)

    def load(self, file):
        with open(file, "rb") as content:
            return list(fastavro.reader(content))


class Protobuf(Format):
    """One message that contains all rows, in the C implementation of Google's library (upb)."""

    KINDS = {"string": "TYPE_STRING", "int": "TYPE_INT32", "double": "TYPE_DOUBLE", "boolean": "TYPE_BOOL"}

    def __init__(self, schema):
        super().__init__(schema)
        # The same as a .proto with `optional` fields of these names, and `repeated Flight flights = 1`.
        file = descriptor_pb2.FileDescriptorProto(name="flights.proto", package="flights", syntax="proto2")
        flight = file.message_type.add(name="Flight")
        kinds = descriptor_pb2.FieldDescriptorProto
        for number, field in enumerate(fields_of(schema), 1):
            kind = getattr(kinds, self.KINDS[field.kind])
            flight.field.add(name=field.name, number=number, type=kind, label=kinds.LABEL_OPTIONAL)
        flights = file.message_type.add(name="Flights").field.add(name="flights", number=1)
        flights.type, flights.label = kinds.TYPE_MESSAGE, kinds.LABEL_REPEATED
        flights.type_name = ".flights.Flight"
        pool = descriptor_pool.DescriptorPool()
        pool.Add(file)
        self.message = message_factory.GetMessageClass(pool.FindMessageTypeByName("flights.Flights"))

    def save(self, rows, file):
        message = self.message()
        for row in rows:
            message.flights.add(**{name: value for name, value in row.items() if value is not None})
        pathlib.Path(file).write_bytes(message.SerializeToString())

    def load(self, file):
        return self.message.FromString(pathlib.Path(file).read_bytes()).flights

    def as_dict(self, flight):
        return {name: getattr(flight, name) if flight.HasField(name) else None for name in self.names}


class ProtobufDicts(Protobuf):
    def load(self, file):
        return [super(ProtobufDicts, self).as_dict(flight) for flight in super().load(file)]

    def as_dict(self, row):
        return row


class Capnp(Format):
    """One message that contains all rows. Null is encoded as a mark: an empty text, -1, or NaN."""

    KINDS = {"string": "Text", "int": "Int32", "double": "Float64", "boolean": "Bool"}
    MARKS = {"string": "", "int": -1, "double": float("nan")}

    def __init__(self, schema):
        super().__init__(schema)
        fields = fields_of(schema)
        self.marks = {field.name: self.MARKS[field.kind] for field in fields if field.nullable}
        lines = [f"  {field.name} @{i} :{self.KINDS[field.kind]};" for i, field in enumerate(fields)]
        text = "\n".join(["@0xb2c5ab7e4d1f9a63;", "struct Flight {", *lines, "}"])
        text += "\nstruct Flights { flights @0 :List(Flight); }\n"
        with tempfile.NamedTemporaryFile("w", suffix=".capnp") as definition:
            definition.write(text)
            definition.flush()
            self.message = capnp.load(definition.name).Flights

    def _fill(self, rows):
        message = self.message.new_message()
        flights = message.init("flights", len(rows))
        for flight, row in zip(flights, rows):
            for name, value in row.items():
                setattr(flight, name, self.marks[name] if value is None else value)
        return message

    def save(self, rows, file):
        with open(file, "wb") as out:
            self._fill(rows).write(out)

    def load(self, file):
        self.open = open(file, "rb")  # Values are read from the file at their first use.
        return self.message.read(self.open, traversal_limit_in_words=2**61).flights

    def as_dict(self, flight):
        row = {name: getattr(flight, name) for name in self.names}
        for name, mark in self.marks.items():
            if row[name] == mark or row[name] != row[name]:
                row[name] = None
        return row


class CapnpDicts(Capnp):
    def load(self, file):
        return [super(CapnpDicts, self).as_dict(flight) for flight in super().load(file)]

    def as_dict(self, row):
        return row


class CapnpPacked(Capnp):
    def save(self, rows, file):
        with open(file, "wb") as out:
            self._fill(rows).write_packed(out)

    def load(self, file):
        self.open = open(file, "rb")
        return self.message.read_packed(self.open, traversal_limit_in_words=2**61).flights


# For each format by name: its class, and the suffix of its file.
FORMATS = {
    "csv": (Csv, "csv"),
    "json": (Json, "json"),
    "json, ujson": (UltraJson, "ujson"),
    "json lines": (JsonLines, "jsonl"),
    "json lines, ujson": (UltraJsonLines, "ujsonl"),
    "msgpack": (Msgpack, "msgpack"),
    "msgpack, streaming": (MsgpackStream, "msgpacks"),
    "avro": (Avro, "avro"),
    "fastavro": (FastAvro, "fastavro"),
    "protobuf": (Protobuf, "protobuf"),
    "protobuf, as dict": (ProtobufDicts, "protobuf"),
    "capnp": (Capnp, "capnp"),
    "capnp, as dict": (CapnpDicts, "capnp"),
    "capnp, packed": (CapnpPacked, "capnpp"),
}
