"""Measures all contenders on the same datums, each in its own process. `run` builds them and starts this program."""

import argparse
import collections
import importlib.metadata
import pathlib
import statistics
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import plot  # noqa: E402
import results  # noqa: E402

RECORDS = ["StockQuote-78", "User-81", "Mix-300"]
WHAT = {
    "ours": "Java; checks each datum and copies it into blocks",
    "ours-objects": "Java; decodes to generic objects",
    "stock": "Java, Avro's library; decodes to generic objects, fast reader off",
    "fastreader": "Java, Avro's library; decodes to generic objects, fast reader on, as by default",
    "memcpy": "Java; copies datums into blocks and checks nothing",
    "arrow-avro": "Rust; decodes to Arrow columns",
    "serde_avro_fast": "Rust; decodes to structs, whose texts lie in the datum",
    "serde_avro_fast-skip": "Rust; walks through the datum and ignores its values",
    "hamba-struct": "Go, hamba/avro; decodes to structs",
    "hamba-map": "Go, hamba/avro; decodes to maps",
    "fastavro": "Python, with C; decodes to dicts",
    "c-scalar": "C; walks byte by byte, checks the end, copies nothing",
    "c-scalar-4": "C; the same, four datums at a time",
    "c-bmi2": "C; as c-scalar, with tzcnt and pext",
    "c-bmi2-4": "C; the same, four datums at a time",
}
NO_BMI2 = 3


def commands(given):
    """Returns the command of each contender by name; `measure` adds the record, the file and the times."""
    main = "io.tidemark.benchmarks.articles.export.DatumTiming"
    java = [given.java, "-Xmx1g", "-Dorg.slf4j.simpleLogger.defaultLogLevel=error", "-cp", given.class_path, main]
    rust, go, c = (given.built / name for name in ("cargo/release/datum-timing", "hamba", "walk"))
    found = {
        "ours": [*java, "ours", "check-copy"],
        "ours-objects": [*java, "ours", "decode"],
        "stock": [*java, "stock", "decode"],
        "fastreader": [*java, "fastreader", "decode"],
        "memcpy": [*java, "memcpy", "check-copy"],
    }
    if rust.exists():
        for name in ("arrow-avro", "serde_avro_fast", "serde_avro_fast-skip"):
            found[name] = [rust, name, "RECORD"]
    if go.exists():
        found |= {"hamba-struct": [go, "struct"], "hamba-map": [go, "map"]}
    found["fastavro"] = [sys.executable, pathlib.Path(__file__).with_name("decode.py")]
    if c.exists():
        found |= {f"c-{name}": [c, name] for name in ("scalar", "scalar-4", "bmi2", "bmi2-4")}
    return found


def measure(given, name, command, record):
    """Returns the nanoseconds a datum, or None if the processor has no BMI2 and the contender needs it."""
    warm_up, seconds = (0.3, 0.1) if given.quick else (1.5 if given.java in command else 0.5, 1)
    words = [record if word == "RECORD" else str(word) for word in command]
    file = str(given.built / f"{record}.datums")
    done = subprocess.run([*words, file, str(warm_up), str(seconds)], capture_output=True, text=True)
    if done.returncode == NO_BMI2 and name.startswith("c-"):
        return None
    if done.returncode != 0:
        raise SystemExit(f"{name} has failed on {record}:\n{done.stderr}")
    return float(done.stdout)


def report(medians, left_out, rounds):
    text = f"Nanoseconds of a datum, medians over the rounds, of which there were {rounds}.\n\n"
    names = [name for name in WHAT if any((name, record) in medians for record in RECORDS)]
    rows = [[f"`{name}`", *(results.number(medians.get((name, r))) for r in RECORDS), WHAT[name]] for name in names]
    text += results.table(["contender", *RECORDS, "what it does"], rows).replace("---:|\n", "---|\n", 1)
    text += "\n## How far ours is\n\n"
    text += "Time of the other divided by the time of ours: above 1, ours is faster, below 1 slower.\n\n"
    rows = []
    for name in names:
        if not name.startswith("ours"):
            cells = []
            for ours in ("ours", "ours-objects"):
                for record in RECORDS:
                    other = medians.get((name, record))
                    cells.append(results.number(other and other / medians[ours, record]))
            rows.append([f"`{name}`", *cells])
    head = [f"{ours}, {record}" for ours in ("ours", "ours-objects") for record in RECORDS]
    text += results.table(["other", *head], rows)
    for name, reason in left_out.items():
        text += f"\n`{name}` is left out: {reason}.\n"
    groups = {r: {name: medians[name, r] for name in names if (name, r) in medians} for r in RECORDS}
    return text, {"plot": plot.bars("What a datum costs", "ns a datum, less is better", groups, logarithmic=True)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--java", required=True)
    parser.add_argument("--class-path", required=True)
    parser.add_argument("--built", type=pathlib.Path, required=True)
    parser.add_argument("--results", type=pathlib.Path, required=True)
    given = parser.parse_args()
    count = 1 if given.quick else 5
    found = commands(given)
    left_out = {name: "nothing could build it" for name in WHAT if name not in found}
    rounds = []
    values = collections.defaultdict(list)
    for number in range(1, count + 1):
        for record in RECORDS:
            for name, command in found.items():
                if name.startswith("c-") and record != "StockQuote-78":
                    continue  # Only that schema is compiled into the C program.
                ns = measure(given, name, command, record)
                if ns is None:
                    left_out[name] = "this processor has no BMI2"
                    continue
                rounds.append({"round": number, "record": record, "contender": name, "nsPerDatum": ns})
                values[name, record].append(ns)
        print(f"round {number} of {count}", flush=True)
    text, plots = report({key: statistics.median(all_) for key, all_ in values.items()}, left_out, count)
    facts = results.machine(given.java, fastavro=importlib.metadata.version("fastavro"), **versions())
    results.write(given.results, facts, given.quick, rounds, text, plots, contenders=WHAT)


def versions():
    """Returns the versions of the installed compilers; Cargo.lock and go.mod pin those of the libraries."""
    found = {}
    for name, command in {"rust": ["rustc", "-V"], "go": ["go", "version"], "gcc": ["gcc", "-dumpfullversion"]}.items():
        try:
            found[name] = subprocess.run(command, capture_output=True, text=True).stdout.strip()
        except OSError:
            found[name] = "none"
    return found


if __name__ == "__main__":
    main()
