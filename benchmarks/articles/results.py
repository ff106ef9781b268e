"""Writes the files of results: the machine, the raw rounds, and the tables in Markdown."""

import datetime
import json
import os
import pathlib
import platform
import subprocess


def _output(*command):
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=True, cwd=pathlib.Path(__file__).parent
        )
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return (done.stdout or done.stderr).strip()


def _field(file, name):
    try:
        for line in pathlib.Path(file).read_text().splitlines():
            if line.startswith(name):
                return line.partition(":")[2].strip()
    except OSError:
        pass  # Not Linux.
    return "unknown"


def machine(java, **more):
    """Returns facts about this machine; `more` has versions that only one experiment has."""
    now = datetime.datetime.now(datetime.timezone.utc)
    return {
        "date": now.isoformat(timespec="seconds"),
        # `run` reads it before any result file is written, which would make the checkout dirty.
        "commit": os.environ.get("ARTICLES_COMMIT")
        or _output("git", "describe", "--always", "--dirty", "--abbrev=12"),
        "cpu": _field("/proc/cpuinfo", "model name"),
        "cores": os.cpu_count(),
        "memory": _field("/proc/meminfo", "MemTotal"),
        "os": f"{platform.system()} {platform.release()}",
        "java": _output(java, "-version").splitlines()[0],
        "python": platform.python_version(),
        "loadAverage": list(os.getloadavg()),
        **more,
    }


def table(head, rows):
    """Returns a table in Markdown: the first column is text, the others are aligned to the right."""
    lines = ["| " + " | ".join(head) + " |", "|---" + "|---:" * (len(head) - 1) + "|"]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def number(value):
    """Formats a number with about three significant digits: 0.123, 12.3, 1,235."""
    if value is None:
        return "–"
    digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2 if abs(value) >= 1 else 3
    return f"{value:,.{digits}f}"


def describe(facts):
    """Returns the machine's facts as a list in Markdown."""
    return "\n".join(f"- {name}: {value}" for name, value in facts.items()) + "\n"


def write(directory, facts, quick, rounds, markdown, plots, **more):
    """Writes results.json, results.md and the plots; `plots` maps names without .svg to SVG texts."""
    directory = pathlib.Path(directory)
    content = {"machine": facts, "quick": quick, **more, "rounds": rounds}
    (directory / "results.json").write_text(json.dumps(content, indent=1) + "\n")
    kind = "a quick run: too short to be quoted" if quick else "a full run"
    text = f"# Results\n\nWritten by `run`; {kind}.\n\n{markdown}\n## Machine\n\n{describe(facts)}"
    (directory / "results.md").write_text(text)
    for name, svg in plots.items():
        (directory / f"{name}.svg").write_text(svg)
    print(f"\n{markdown}\nFiles are in {directory}")
