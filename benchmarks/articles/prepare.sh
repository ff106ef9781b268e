# The common functions of the runs of spavro, python-serialization and others: options and builds.
# Source this file from the root of the project, after `program` is set to the experiment's folder name.
# shellcheck shell=bash

. local-stack/bin/build.sh

# The commit in the results: see benchmarks/articles/run, which exports it.
: "${ARTICLES_COMMIT:=$(git describe --always --dirty --abbrev=12 2>/dev/null || echo unknown)}"
export ARTICLES_COMMIT

readonly BUILT=$PWD/benchmarks/target/articles/$program
mkdir -p "$BUILT"

# take_options OPTION…: sets three variables from the options: `quick`; `results`, the folder of results.json,
# results.md and plots; and `budget`, the seconds after which no further round begins.
take_options() {
  quick=
  results=
  budget=530
  while (($# > 0)); do
    case $1 in
      --help | -h)
        usage
        exit 0
        ;;
      --quick) quick=--quick ;;
      --results)
        [[ $# -gt 1 ]] || fail "--results needs a directory"
        results=$(realpath -m "$2")
        shift
        ;;
      --budget)
        [[ ${2:-} =~ ^[0-9]+$ ]] || fail "--budget needs a number of seconds"
        budget=$2
        shift
        ;;
      *) fail "no option $1; --help lists the options" ;;
    esac
    shift
  done
  if [[ -z $results ]]; then
    results=$PWD/benchmarks/articles/$program
    [[ -z $quick ]] || results=$BUILT/quick
  fi
  mkdir -p "$results"
}

# build_java: builds the programs of io.tidemark.benchmarks.articles.export, and sets `class_path`.
build_java() {
  check_java
  begin_build # Waits for another build, so that no half-written file is used.
  if [[ ! -f benchmarks/target/class-path || ! -d fast-avro/target/classes ||
    ! -f benchmarks/target/classes/io/tidemark/benchmarks/articles/export/Export.class ]]; then
    check_maven
    echo "Builds (log: target/articles-build.log)"
    build benchmarks target/articles-build.log
  fi
  end_build
  class_path=$PWD/benchmarks/target/classes:$(cat benchmarks/target/class-path)
}

# export_java WORDS…: runs Export.java with these arguments.
export_java() {
  "$java" -cp "$class_path" io.tidemark.benchmarks.articles.export.Export "$@"
}

# build_venv: creates a virtual environment with the packages of the experiment's requirements.txt, if there is none
# or if that file has changed. Uses $PYTHON, or else the python3 of the path.
build_venv() {
  local wanted=benchmarks/articles/$program/requirements.txt log=$BUILT/venv.log
  python=$BUILT/venv/bin/python
  if ! cmp -s "$wanted" "$BUILT/venv/requirements.txt"; then
    command -v "${PYTHON:=python3}" >/dev/null || fail "no $PYTHON found: install Python 3.9 to 3.11, or set PYTHON to one"
    echo "Installs the packages of $wanted (log: ${log#"$PWD"/})"
    rm -rf "$BUILT/venv"
    if ! { "$PYTHON" -m venv "$BUILT/venv" && "$python" -m pip install --disable-pip-version-check -r "$wanted"; } >"$log" 2>&1; then
      tail -n 20 "$log" >&2
      fail "the packages of $wanted cannot be installed with $("$PYTHON" --version); the whole log is $log. Set PYTHON to a Python 3.9 to 3.11 with its headers, and have a C compiler"
    fi
    cp "$wanted" "$BUILT/venv/requirements.txt"
  fi
}
