"""Measures libraries of Python and Java that read and write records of nullable unions. `run` starts this program."""

import argparse
import collections
import gc
import importlib.metadata
import pathlib
import statistics
import subprocess
import sys
import time

import libraries

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import plot  # noqa: E402
import results  # noqa: E402

FIELDS = [1, 10, 100, 300, 500]
# The libraries of Python are slow, so each gets only the first records of a repeat: one of so many.
SHARE = {"spavro": 10, "fastavro": 10, "avro": 100}
# How many times as fast spavro is, in the article: "depending on the shape of the records".
ARTICLE = {"avro": (14, 23), "fastavro": (2, 4)}
WARM_UP_SECONDS = 1.5


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--values", type=int, help="field values of a repeat; 5 million, or 200,000 if quick")
    parser.add_argument("--budget", type=int, required=True)
    parser.add_argument("--java", required=True)
    parser.add_argument("--class-path", required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--results", type=pathlib.Path, required=True)
    given = parser.parse_args()
    given.values = given.values or (200_000 if given.quick else 5_000_000)
    given.repeats = 2 if given.quick else 10
    return given


def export(given, fields, records, seed, file):
    main = "io.tidemark.benchmarks.articles.export.Export"
    command = [given.java, "-cp", given.class_path, main, "rows", f"Mix-{fields}"]
    subprocess.run([*command, str(records), str(seed), str(file)], check=True)


def parts(given, fields, seed):
    """Returns the first records of a repeat, as inputs by share."""
    found = {}
    for share in set(SHARE.values()):
        file = given.work / f"part-{share}.avro"
        export(given, fields, max(1, given.values // fields // share), seed, file)
        found[share] = libraries.Input(file)
        file.unlink()
    return found


def cross_check(given, java, python):
    """Reads the files of every library with every library; returns the numbers of compared files and records."""
    compared = collections.Counter()
    for fields in FIELDS:
        source = given.work / f"source-{fields}.avro"  # A new name for each size: the JVM caches the last file.
        export(given, fields, max(10, 20_000 // fields), 0, source)
        expected = libraries.Input(source)
        written = []
        for library in python:
            written.append(given.work / f"{library.label}.avro")
            with open(written[-1], "wb") as out:
                library.write(expected, out, "deflate")
        for label in java.LABELS:
            written.append(given.work / f"java-{label}.avro")
            java.ask("copy", label, source, written[-1])
        for file in [source, *written]:
            for library in python:
                actual = library.records(file)
                if actual != expected.records:
                    raise SystemExit(f"{library.label} reads other values of Mix-{fields} from {file}")
                compared.update(files=1, records=len(actual))
            for label in java.LABELS:
                _, count = java.ask("check", label, file, source)
                if count != expected.count:
                    raise SystemExit(f"{label} reads {count} records of Mix-{fields} from {file}")
                compared.update(files=1, records=count)
        for file in written:
            file.unlink()
    return dict(compared)


def warm_up(given, java):
    """Gives the JIT compiler every kind of record, as in a service that runs for days."""
    for fields in FIELDS:
        file = given.work / f"warm-up-{fields}.avro"
        export(given, fields, max(100, 200_000 // fields), 0, file)
        for work in ("read", "write"):
            for label in java.LABELS:
                begin = time.monotonic()
                while time.monotonic() - begin < WARM_UP_SECONDS / (5 if given.quick else 1):
                    java.ask(work, label, file)


def repeat(given, java, python, fields, seed):
    """Runs one repeat for one number of fields: all libraries, in turn, on records of the same seed."""
    inputs = parts(given, fields, seed)
    gc.collect()
    gc.disable()  # As timeit does. The code creates no reference cycles.
    cells = []
    for library in python:
        some = inputs[SHARE[library.label]]
        for work, function in (("read", library.read), ("write", library.write)):
            seconds, count = function(some)
            cells.append((library.label, work, seconds, count, some.count))
    gc.enable()
    file = given.work / f"mix-{fields}-{seed}.avro"
    records = max(1, given.values // fields)
    export(given, fields, records, seed, file)
    for work in ("read", "write"):
        for label, name in java.LABELS.items():
            seconds, count = java.ask(work, label, file)
            cells.append((name, work, seconds, count, records))
    file.unlink()
    rounds = []
    for label, work, seconds, count, expected in cells:
        if count != expected:
            raise SystemExit(f"{label}: {work} of Mix-{fields} did {count} records instead of {expected}")
        rounds.append(
            {
                "library": label,
                "work": work,
                "fields": fields,
                "seed": seed,
                "records": count,
                "seconds": seconds,
                "fieldsPerSecond": count * fields / seconds,
            }
        )
    return rounds


def medians(rounds):
    values = collections.defaultdict(list)
    for each in rounds:
        values[each["work"], each["library"], each["fields"]].append(each["fieldsPerSecond"])
    return {key: statistics.median(rates) for key, rates in values.items()}


def beside_article(rates):
    """Returns the table of the article's ratios and those measured here, each as a range over the sizes of records."""
    rows = []
    for other, (least, most) in ARTICLE.items():
        row = [f"spavro / {other}", f"{least} to {most}"]
        for work in ("read", "write"):
            ratios = [rates[work, "spavro", f] / rates[work, other, f] for f in FIELDS]
            row.append(f"{results.number(min(ratios))} to {results.number(max(ratios))}")
        rows.append(row)
    return results.table(["how many times as fast", "the article", "read, here", "write, here"], rows)


def report(rates, names, checked, repeats):
    text = f"Medians over the repeats, of which there were {repeats}, in millions of fields a second.\n"
    plots = {}
    for work in ("read", "write"):
        head = [work, "1 field", *(f"{fields} fields" for fields in FIELDS[1:])]
        rows = [[name, *(results.number(rates[work, name, f] / 1e6) for f in FIELDS)] for name in names]
        text += f"\n## {work.capitalize()}\n\n{results.table(head, rows)}\n"
        ours = [
            [f"ours / {name}", *(results.number(rates[work, "ours (Java)", f] / rates[work, name, f]) for f in FIELDS)]
            for name in names
            if name != "ours (Java)"
        ]
        text += results.table(["how many times as fast", *head[1:]], ours)
        curves = {name: [(f, rates[work, name, f]) for f in FIELDS] for name in names}
        plots[work] = plot.lines(
            f"{work.capitalize()}: records of nullable unions", "fields of a record", "fields a second", curves
        )
    text += f"\n## The article's ratios\n\n{beside_article(rates)}"
    text += "\n## Each reads the others' files\n\n"
    text += f"{checked['records']:,} records were compared in {checked['files']} readings: all values were the same.\n"
    return text, plots


def main():
    begin = time.monotonic()
    given = options()
    given.work.mkdir(parents=True, exist_ok=True)
    java = libraries.Java(given.java, given.class_path)
    python = libraries.of_python()
    names = [library.label for library in python] + list(java.LABELS.values())
    checked = cross_check(given, java, python)
    print(f"{checked['files']} readings gave the same values")
    warm_up(given, java)
    rounds = []
    seeds = 0
    lap = 0
    while seeds < given.repeats and time.monotonic() - begin + lap < given.budget:
        started = time.monotonic()
        seeds += 1
        for fields in FIELDS:
            rounds += repeat(given, java, python, fields, seeds)
        lap = time.monotonic() - started
        print(f"repeat {seeds} of {given.repeats}: {lap:.0f} s", flush=True)
    if seeds < given.repeats:
        print(f"No further repeat fits into {given.budget} s: --budget gives it more")
    java.close()
    versions = {name: importlib.metadata.version(name) for name in ("spavro", "fastavro", "avro")}
    text, plots = report(medians(rounds), names, checked, seeds)
    facts = results.machine(given.java, **versions)
    results.write(given.results, facts, given.quick, rounds, text, plots, crossCheck=checked, article=ARTICLE)


if __name__ == "__main__":
    main()
