"""Loads a file once, in a process of its own, and prints the cost as JSON: load.py FORMAT FILE SCHEMA."""

import json
import pathlib
import resource
import sys
import time

import formats


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def peak_kib():
    """Returns the highest resident memory of this process so far, in KiB."""
    for line in pathlib.Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1])
    raise RuntimeError("/proc/self/status has no VmHWM")


def timed(function, *arguments):
    """Calls a function; returns its result, its CPU time and its wall time in seconds."""
    cpu, begin = cpu_seconds(), time.perf_counter()
    done = function(*arguments)
    return done, cpu_seconds() - cpu, time.perf_counter() - begin


def main():
    kind, _ = formats.FORMATS[sys.argv[1]]
    by = kind(json.loads(pathlib.Path(sys.argv[3]).read_text()))
    rows, cpu, wall = timed(by.load, sys.argv[2])
    found = {"cpu": cpu, "wall": wall, "peakKib": peak_kib(), "rows": len(rows)}
    print(json.dumps({**found, "sample": by.sample(rows)}))


if __name__ == "__main__":
    main()
