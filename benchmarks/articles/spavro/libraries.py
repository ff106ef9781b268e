"""Libraries of Python and of Java that read and write Avro files.

Python: `read` and `write` return seconds and the number of records; `records` returns the records of a file.
Java: `ask` sends the same commands, and `copy` and `check`, to a JVM.
"""

import io
import json
import subprocess
import time

import avro.datafile
import avro.io
import avro.schema
import fastavro
import spavro.datafile
import spavro.io
import spavro.schema


class Input:
    """A file in memory for the libraries of Python: its bytes, its schema, its records as dicts."""

    def __init__(self, file):
        self.content = file.read_bytes()
        reader = fastavro.reader(io.BytesIO(self.content))
        self.schema = reader.writer_schema
        self.records = list(reader)
        self.count = len(self.records)


def timed(function, *arguments):
    begin = time.perf_counter()
    count = function(*arguments)
    return time.perf_counter() - begin, count


def _count(records):
    count = 0
    for _ in records:
        count += 1
    return count


class FastAvro:
    label = "fastavro"

    def read(self, given):
        return timed(lambda: _count(fastavro.reader(io.BytesIO(given.content))))

    def write(self, given, out=None, codec="null"):
        schema = fastavro.parse_schema(given.schema)

        def work():
            fastavro.writer(out or io.BytesIO(), schema, given.records, codec=codec)
            return len(given.records)

        return timed(work)

    def records(self, file):
        with open(file, "rb") as stream:
            return list(fastavro.reader(stream))


class Stock:
    """Avro's own library, or spavro, which has the same interface."""

    def __init__(self, label, package, datafile, io_module):
        self.label = label
        self._package, self._datafile, self._io = package, datafile, io_module

    def _reader(self, stream):
        return self._datafile.DataFileReader(stream, self._io.DatumReader())

    def read(self, given):
        return timed(lambda: _count(self._reader(io.BytesIO(given.content))))

    def write(self, given, out=None, codec="null"):
        schema = self._package.schema.parse(json.dumps(given.schema))

        def work():
            writer = self._datafile.DataFileWriter(
                out or io.BytesIO(), self._io.DatumWriter(), schema, codec=codec
            )
            for record in given.records:
                writer.append(record)
            writer.flush()
            return len(given.records)

        return timed(work)

    def records(self, file):
        with open(file, "rb") as stream:
            return list(self._reader(stream))


def of_python():
    return [
        Stock("spavro", spavro, spavro.datafile, spavro.io),
        FastAvro(),
        Stock("avro", avro, avro.datafile, avro.io),
    ]


class Java:
    """A JVM that runs all libraries of Java; see FileTiming.java."""

    LABELS = {"stock": "stock (Java)", "fastreader": "fastreader (Java)", "ours": "ours (Java)"}

    def __init__(self, java, class_path):
        command = [java, "-Xmx4g", "-Duser.language=en", "-Dorg.slf4j.simpleLogger.defaultLogLevel=error"]
        command += ["-cp", class_path, "io.tidemark.benchmarks.articles.export.FileTiming"]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def ask(self, *words):
        """Runs a command; returns its seconds and its number of records."""
        self._process.stdin.write(" ".join(map(str, words)) + "\n")
        answer = self._process.stdout.readline().split()
        if len(answer) != 2:
            raise RuntimeError(f"the JVM has failed at: {' '.join(map(str, words))}")
        return float(answer[0]), int(answer[1])

    def close(self):
        self._process.stdin.close()
        if self._process.wait(60) != 0:
            raise RuntimeError("the JVM has ended with a fault")
