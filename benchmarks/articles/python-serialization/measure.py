"""Saves and loads the same rows in each format, each time in a process of its own. `run` starts this program."""

import argparse
import collections
import gc
import gzip
import importlib.metadata
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import time

import fastavro

import formats
import validation
from load import timed

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import plot  # noqa: E402
import results  # noqa: E402

EXPORT = "io.tidemark.benchmarks.articles.export."
# The programs in Java by name: the name that RowTiming uses, and the heap for loading.
JAVA = {
    "stock (Java)": ("stock", "2g"),
    "ours, objects (Java)": ("objects", "2g"),
    "ours, bytes (Java)": ("bytes", "64m"),
}
SLOW = {"avro"}  # Only in the first round.
# The article's figures: seconds to save and to load, RSS while loading, sizes of the file and of its tar.gz, in MiB.
ARTICLE = {
    "csv": (13.8, 7.9, 1385, 82.5, 12.2),
    "json": (45.5, 8.1, 1111, 287.9, 25.8),
    "json, ujson": (2.5, 6.9, 1962, 287.9, 25.8),
    "json lines": (10.8, 10.0, 1971, 287.9, 25.8),
    "json lines, ujson": (3.0, 5.8, 1971, 287.9, 25.8),
    "msgpack": (2.9, 5.0, 1997, 250.6, 27.0),
    "msgpack, streaming": (4.2, 4.8, 2015, 250.6, 26.2),
    "avro": (262.8, 270.7, 1161, 74.0, 12.9),
    "fastavro": (33.2, 103.0, 1161, 74.0, 12.9),
    "protobuf": (10.6, 3.7, 128, 80.3, 15.1),
    "protobuf, as dict": (None, 11.7, 1165, None, None),
    "capnp": (30.3, 1.4, 231, 163.1, 26.5),
    "capnp, as dict": (None, 279.2, 2753, None, None),
    "capnp, packed": (31.2, None, None, 100.8, 24.3),
}
MIB = 2**20


class Run:
    def __init__(self, given):
        self.given = given
        self.rounds = []
        self.work = given.work
        self.work.mkdir(parents=True, exist_ok=True)
        self.source = self.work / "source.avro"
        self.java(None, "Export", "rows", "Airline-31", given.rows, 1, self.source)
        with open(self.source, "rb") as content:
            reader = fastavro.reader(content)
            self.schema = reader.writer_schema
            self.rows = list(reader)
        self.schema_file = self.work / "schema.json"
        self.schema_file.write_text(json.dumps(self.schema))
        self.sample = formats.Format(self.schema).sample(self.rows)
        gc.collect()
        gc.freeze()  # Forked processes share the rows: their collector must not write to them.

    def java(self, heap, main, *words):
        options = ["-Duser.language=en", "-Dorg.slf4j.simpleLogger.defaultLogLevel=error"]
        options += [f"-Xmx{heap}"] if heap else []
        command = [self.given.java, *options, "-cp", self.given.class_path, EXPORT + main, *map(str, words)]
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout

    def file(self, name):
        label = JAVA[name][0] if name in JAVA else formats.FORMATS[name][1]
        return self.work / f"flights.{'java-' if name in JAVA else ''}{label}"

    def note(self, number, name, work, **measured):
        self.rounds.append({"round": number, "format": name, "work": work, **measured})

    def save(self, number, name):
        kind, _ = formats.FORMATS[name]
        self.file(name).unlink(missing_ok=True)
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            by = kind(self.schema)
            rows = formats.with_text_dates(self.rows, self.schema) if by.dates_as_text else self.rows
            _, cpu, wall = timed(by.save, rows, self.file(name))
            os.write(write, json.dumps({"cpu": cpu, "wall": wall}).encode())
            os._exit(0)
        os.close(write)
        with open(read) as answer:
            measured = answer.read()
        if os.waitpid(child, 0)[1] != 0:
            raise SystemExit(f"saving as {name} has failed")
        self.note(number, name, "save", **json.loads(measured))

    def load(self, number, name):
        script = pathlib.Path(__file__).with_name("load.py")
        command = [sys.executable, script, name, self.file(name), self.schema_file]
        before = _children_cpu()
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        measured = json.loads(done.stdout)
        # CSV loads texts, and the samples of all formats are texts.
        if measured.pop("rows") != len(self.rows) or measured.pop("sample") != self.sample:
            raise SystemExit(f"{name}: other rows were loaded than saved")
        self.note(number, name, "load", processCpu=_children_cpu() - before, **measured)

    def by_java(self, number, name):
        by, heap = JAVA[name]
        self.file(name).unlink(missing_ok=True)
        for work, words in (("save", (self.source, self.file(name))), ("load", (self.file(name),))):
            before = _children_cpu()
            answer = self.java("2g" if work == "save" else heap, "RowTiming", work, by, *words).split()
            if int(answer[3]) != len(self.rows):
                raise SystemExit(f"{name}: {work} did {answer[3]} rows instead of {len(self.rows)}")
            measured = {"cpu": float(answer[0]), "wall": float(answer[1]), "peakKib": int(answer[2])}
            self.note(number, name, work, processCpu=_children_cpu() - before, **measured)
        if number == 1:
            with open(self.file(name), "rb") as content:
                if list(fastavro.reader(content)) != self.rows:
                    raise SystemExit(f"{name}: fastavro reads other rows from {self.file(name)}")

    def round(self, number):
        for name, (kind, _) in formats.FORMATS.items():
            if name in SLOW and number > 1:
                continue
            if not name.endswith("as dict"):
                self.save(number, name)
            self.load(number, name)
        for name in JAVA:
            self.by_java(number, name)

    def sizes(self):
        found = {}
        for name in [*formats.FORMATS, *JAVA]:
            content = self.file(name).read_bytes()
            found[name] = [len(content) / MIB, len(gzip.compress(content, 6)) / MIB]
        return found

    def validation(self):
        """Returns microseconds a row, for Python on a part of the rows, for Java on 8 MiB of rows."""
        count = min(len(self.rows), 500 if self.given.quick else 20_000)
        found = validation.measure(self.rows[:count], self.schema)
        file = self.work / "flights.datums"
        self.java(None, "Export", "datums", "Airline-31", 8 * MIB, file)
        times = (0.3, 0.1) if self.given.quick else (2, 2)
        for name, words in {
            "stock (Java): decodes to objects": ("stock", "decode"),
            "ours (Java): checks and copies": ("ours", "check-copy"),
            "memcpy (Java): copies": ("memcpy", "check-copy"),
        }.items():
            found[name] = float(self.java("1g", "DatumTiming", *words, file, *times)) / 1000
        return found


def _children_cpu():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def beside_article(rows):
    """Returns a table of the measured figures by name, each with the article's figure behind it."""
    head = ["format"]
    for figure in ("save, CPU s", "load, CPU s", "load, peak RSS, MiB", "file, MiB", "gzip, MiB"):
        head += [figure, "article"]
    cells = []
    for name, measured in rows.items():
        row = [name]
        for pair in zip(measured, ARTICLE.get(name, [None] * 5)):
            row += map(results.number, pair)
        cells.append(row)
    return results.table(head, cells)


def report(run, sizes, validated, criteria, count):
    values = collections.defaultdict(list)
    for each in run.rounds:
        for key in ("cpu", "processCpu", "peakKib"):
            if key in each:
                values[each["format"], each["work"], key].append(each[key])
    medians = {key: statistics.median(all_) for key, all_ in values.items()}
    names = [*formats.FORMATS, *JAVA]
    rows = []
    compared = {}
    for name in names:
        peak = medians[name, "load", "peakKib"] / 1024
        saved = medians.get((name, "save", "cpu"))
        loaded = [medians[name, "load", "cpu"], medians[name, "load", "processCpu"]]
        rows.append([name, *map(results.number, [saved, *loaded, peak, *sizes[name]])])
        compared[name] = [saved, loaded[0], peak, *sizes[name]]
    head = ["format", "save, CPU s", "load, CPU s", "load, CPU s of the whole process"]
    head += ["load, peak RSS, MiB", "file, MiB", "gzip, MiB"]
    text = f"{len(run.rows):,} rows; medians over the rounds, of which there were {count} (`avro` has one).\n\n## Resource usage\n\n"
    text += results.table(head, rows)
    text += "\n## Beside the article\n\n"
    text += "The article's figures are of another machine, of libraries of 2017 and of other rows.\n\n"
    text += beside_article(compared)
    text += "\n## What validation costs\n\n"
    text += results.table(["by", "µs a row"], [[name, results.number(us)] for name, us in validated.items()])
    text += "\n## Criteria, as fast-avro showed them on these rows\n\n"
    text += results.table(["criterion", "what was seen"], criteria).replace("---:", "---")
    cpu = {
        work: {name: medians[name, work, "cpu"] for name in names if (name, work, "cpu") in medians}
        for work in ("save", "load")
    }
    size = {
        "file": {name: sizes[name][0] for name in names if not name.endswith("as dict")},
        "gzip": {name: sizes[name][1] for name in names if not name.endswith("as dict")},
    }
    memory = {"load": {name: medians[name, "load", "peakKib"] / 1024 for name in names}}
    return text, {
        "cpu": plot.bars("Save and load", "seconds of CPU time, less is better", cpu, logarithmic=True),
        "memory": plot.bars("Memory while loading", "peak RSS in MiB, less is better", memory),
        "size": plot.bars("Size", "MiB, less is better", size),
    }


def main():
    begin = time.monotonic()
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--rows", type=int)
    parser.add_argument("--budget", type=int, required=True)
    parser.add_argument("--java", required=True)
    parser.add_argument("--class-path", required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--results", type=pathlib.Path, required=True)
    given = parser.parse_args()
    given.rows = given.rows or (5_000 if given.quick else 450_017)
    wanted = 1 if given.quick else 3
    run = Run(given)
    criteria = [line.split("\t") for line in run.java("2g", "Criteria", run.source).splitlines()]
    validated = run.validation()
    count, lap = 0, 0
    while count < wanted and time.monotonic() - begin + lap < given.budget:
        started = time.monotonic()
        count += 1
        run.round(count)
        lap = time.monotonic() - started
        print(f"round {count} of {wanted}: {lap:.0f} s", flush=True)
    if count < wanted:
        print(f"No further round fits into {given.budget} s: --budget gives it more")
    sizes = run.sizes()
    text, plots = report(run, sizes, validated, criteria, count)
    packages = ["avro", "fastavro", "msgpack", "protobuf", "pycapnp", "schematics", "ujson"]
    facts = results.machine(given.java, **{name: importlib.metadata.version(name) for name in packages})
    more = {"sizesMib": sizes, "validationMicrosPerRow": validated, "criteria": dict(criteria), "article": ARTICLE}
    results.write(given.results, facts, given.quick, run.rounds, text, plots, **more)


if __name__ == "__main__":
    main()
