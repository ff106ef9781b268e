# The common part of ./demo, ./stack, docker/up and the scripts of benchmarks: checks of this machine, and the build.
# Source it from the root of the project, after `program` is set to the name at the start of errors.
# shellcheck shell=bash

readonly JAVA_NEEDED=17
readonly MAVEN_NEEDED=3.8
readonly MEMORY_NEEDED_MB=5000
readonly DISK_NEEDED_MB=3000
readonly DOWNLOAD_MB=990
readonly DOWNLOAD="about $DOWNLOAD_MB MB from Maven Central into Maven's local repository"

java=${JAVA_HOME:+$JAVA_HOME/bin/}java

fail() {
  echo "$program: $*" >&2
  exit 1
}

check_java() {
  command -v "$java" >/dev/null || fail "no java found: install a JDK $JAVA_NEEDED or newer, or set JAVA_HOME to one"
  command -v "${java}c" >/dev/null || fail "$java is of a JRE without a compiler: install a JDK $JAVA_NEEDED or newer, or set JAVA_HOME to one"
  local version
  version=$("${java}c" -version 2>&1 | grep -oE '[0-9]+' | head -n 1)
  ((version >= JAVA_NEEDED)) || fail "$java has version $version: install a JDK $JAVA_NEEDED or newer, or set JAVA_HOME to one"
}

check_maven() {
  command -v mvn >/dev/null || fail "no mvn found: install Maven $MAVEN_NEEDED or newer"
  local version
  version=$(mvn -v | grep -oE 'Maven [0-9]+\.[0-9]+' | grep -oE '[0-9.]+' | head -n 1)
  [[ $(printf '%s\n' "$MAVEN_NEEDED" "$version" | sort -V | head -n 1) == "$MAVEN_NEEDED" ]] ||
    fail "mvn has version $version: install Maven $MAVEN_NEEDED or newer"
}

# check_path: Hadoop's data node reads the %20 of a space in its path as a format, and exits.
check_path() {
  [[ $PWD != *[[:space:]]* ]] ||
    fail "the path $PWD has a space, so HDFS's data node cannot start: clone the project into another folder"
}

check_memory() {
  [[ -r /proc/meminfo ]] || return 0
  local free
  free=$(awk '/^MemAvailable:/ { print int($2 / 1024) }' /proc/meminfo)
  ((free >= MEMORY_NEEDED_MB)) ||
    fail "$free MB of memory are free, and all services together need $MEMORY_NEEDED_MB MB: stop other programs"
}

# check_disk MB [FOLDER]: checks the free space on the disk of a folder; by default of the project.
check_disk() {
  local folder=${2:-$PWD} free
  free=$(df -Pm "$folder" | awk 'NR == 2 { print $4 }')
  ((free >= $1)) ||
    fail "$free MB are free on the disk of $folder, and $1 MB are needed: delete files"
}

# build_state LOG: the progress of the build, from its log. Example: "module 3/12, 214 files downloaded: 356 of about
# 990 MB". The log has lines such as "[INFO] Downloaded from central: https://… (1.2 MB at 3.4 MB/s)".
build_state() {
  local modules
  modules=$(grep -oE '\[[0-9]+/[0-9]+\]$' "$1" | tail -n 1 | tr -d '[]') || true
  awk -v modules="${modules:-?}" -v expected="$DOWNLOAD_MB" '
    BEGIN { factor["B"] = 1e-6; factor["kB"] = 1e-3; factor["MB"] = 1 }
    /^\[INFO\] Downloaded from/ && match($0, /\([0-9.]+ k?M?B at/) {
      split(substr($0, RSTART + 1, RLENGTH - 1), size, " ")
      files++
      megabytes += size[1] * factor[size[2]]
    }
    END {
      printf "module %s", modules
      if (files) printf ", %d files downloaded: %d of about %d MB", files, megabytes, expected
      print ""
    }' "$1"
}

# follow PID STATE…: shows the progress of a process until it has ended. The command STATE prints the progress.
follow() {
  local pid=$1 seconds=0
  shift
  while kill -0 "$pid" 2>/dev/null; do
    sleep 1
    seconds=$((seconds + 1))
    if [[ -t 1 ]]; then
      printf '\r      %d s: %s   ' "$seconds" "$("$@")"
    elif ((seconds % 15 == 0)); then
      printf '      %d s: %s\n' "$seconds" "$("$@")"
    fi
  done
  [[ -t 1 ]] && printf '\r%60s\r' ''
  return 0
}

followed_pid=
trap 'end_followed; end_build' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# Ends the followed process and its children, and waits for their end: only then may the lock be released.
end_followed() {
  local waited
  [[ -n $followed_pid ]] && kill -- "-$followed_pid" 2>/dev/null || return 0
  for ((waited = 0; waited < 100; waited++)); do
    kill -0 -- "-$followed_pid" 2>/dev/null || return 0
    sleep 0.1
  done
  kill -KILL -- "-$followed_pid" 2>/dev/null || true
}

# followed STATE LOG COMMAND…: runs a command in its own process group, with its output in LOG, and shows its
# progress, which the command STATE prints from LOG.
followed() {
  local state=$1 log=$2 result=0
  shift 2
  set -m
  "$@" >"$log" 2>&1 </dev/null &
  followed_pid=$!
  set +m
  follow "$followed_pid" "$state" "$log"
  wait "$followed_pid" || result=$?
  followed_pid=
  return "$result"
}

# Two builds at once would overwrite each other's files. The lock is a directory, because its creation is atomic on
# every system. It contains the id of the owner's process.
readonly BUILD_LOCK=target/build.lock
readonly BUILD_LOCK_SECONDS=1800
building=

begin_build() {
  local waited=0 holder
  mkdir -p target
  until mkdir "$BUILD_LOCK" 2>/dev/null; do
    holder=$(cat "$BUILD_LOCK/pid" 2>/dev/null || true)
    # Without an id in the lock, its owner was killed before it wrote the id.
    if [[ -n $holder ]] && ! kill -0 "$holder" 2>/dev/null || [[ -z $holder && $waited -ge 10 ]]; then
      drop_lock_of "$holder"
      continue
    fi
    ((waited > 0)) || echo "      waiting for another build, of process ${holder:-unknown}"
    ((waited < BUILD_LOCK_SECONDS)) ||
      fail "another build, of process ${holder:-unknown}, has not ended for $BUILD_LOCK_SECONDS s: stop it, or remove $PWD/$BUILD_LOCK if no build runs"
    sleep 1
    waited=$((waited + 1))
  done
  building=yes
  echo $$ >"$BUILD_LOCK/pid"
}

# drop_lock_of PROCESS: removes the lock of a killed process. If another waiting process has taken the lock meanwhile,
# the lock is put back.
drop_lock_of() {
  local taken=$BUILD_LOCK.$$
  mv "$BUILD_LOCK" "$taken" 2>/dev/null || return 0
  if [[ $(cat "$taken/pid" 2>/dev/null) == "$1" ]]; then
    rm -rf "$taken"
  else
    mv "$taken" "$BUILD_LOCK"
  fi
}

end_build() {
  [[ -z $building ]] || rm -rf "$BUILD_LOCK"
  building=
}

# run_maven MODULES LOG OPTION…: packages the modules and their dependencies, without the checks of mvn verify.
run_maven() {
  local modules=$1 log=$2
  shift 2
  followed build_state "$log" \
    mvn -B "$@" package -pl "$modules" -am -Dmaven.test.skip -Dtests.compile.skip -Dspotless.check.skip -Denforcer.skip \
    -Dmdep.analyze.skip -Danalysis=-Xlint:all,-processing,-classfile
}

# build MODULES LOG [OPTION…]: packages the modules and their dependencies, if possible without the network.
build() {
  local modules=$1 log=$2
  shift 2
  mkdir -p "$(dirname "$log")"
  SECONDS=0
  if ! run_maven "$modules" "$log" --offline "$@"; then
    echo "      some dependencies are missing: downloading, once, $DOWNLOAD"
    run_maven "$modules" "$log" "$@" || {
      tail -n 30 "$log" >&2
      fail "the build has failed; the whole log is $log"
    }
  fi
  echo "      done in $SECONDS s"
}
