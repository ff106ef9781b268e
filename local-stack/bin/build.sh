# What ./demo, ./stack, docker/up and the scripts of benchmarks have in common: checks of this machine, and the build.
# To be sourced from the root of the project, after `program` was set to the name that errors begin with.
# shellcheck shell=bash

readonly JAVA_NEEDED=17
readonly MAVEN_NEEDED=3.8
readonly MEMORY_NEEDED_MB=5000
readonly DISK_NEEDED_MB=3000
readonly DOWNLOAD="about 770 MB from Maven Central into Maven's local repository"

java=${JAVA_HOME:+$JAVA_HOME/bin/}java

fail() {
  echo "$program: $*" >&2
  exit 1
}

check_java() {
  command -v "$java" >/dev/null || fail "no java found: install a JDK $JAVA_NEEDED or newer, or set JAVA_HOME to one"
  command -v "${java}c" >/dev/null || fail "$java has no compiler beside it: a JDK is needed, not only a JRE"
  local version
  version=$("${java}c" -version 2>&1 | grep -oE '[0-9]+' | head -n 1)
  ((version >= JAVA_NEEDED)) || fail "$java is of Java $version: a JDK $JAVA_NEEDED or newer is needed; set JAVA_HOME to one"
}

check_maven() {
  command -v mvn >/dev/null || fail "no mvn found: install Maven $MAVEN_NEEDED or newer"
  local version
  version=$(mvn -v | grep -oE 'Maven [0-9]+\.[0-9]+' | grep -oE '[0-9.]+' | head -n 1)
  [[ $(printf '%s\n' "$MAVEN_NEEDED" "$version" | sort -V | head -n 1) == "$MAVEN_NEEDED" ]] ||
    fail "mvn is Maven $version: $MAVEN_NEEDED or newer is needed"
}

# check_path: Hadoop's data node takes the %20 of a space in its path for a format, and ends.
check_path() {
  [[ $PWD != *[[:space:]]* ]] ||
    fail "$PWD has a space in its path, with which HDFS's data node cannot start: clone the project into another folder"
}

check_memory() {
  [[ -r /proc/meminfo ]] || return 0
  local free
  free=$(awk '/^MemAvailable:/ { print int($2 / 1024) }' /proc/meminfo)
  ((free >= MEMORY_NEEDED_MB)) ||
    fail "$free MB of memory are free, and all services together need $MEMORY_NEEDED_MB MB: end other programs"
}

# check_disk MB [FOLDER]: what is needed on the disk of a folder, the project's if none is given.
check_disk() {
  local folder=${2:-$PWD} free
  free=$(df -Pm "$folder" | awk 'NR == 2 { print $4 }')
  ((free >= $1)) ||
    fail "$free MB are free on the disk of $folder, and $1 MB are needed: make room"
}

# What the build is at, from its log: "3 of 12 modules, 214 files downloaded".
build_state() {
  local modules downloads
  modules=$(grep -oE '\[[0-9]+/[0-9]+\]$' "$1" | tail -n 1 | tr -d '[]') || true
  downloads=$(grep -c '^\[INFO\] Downloaded from' "$1") || true
  echo "module ${modules:-?}, $downloads files downloaded"
}

# follow PID STATE…: shows on the terminal that a process is alive, until it has ended.
# The command STATE says what it is at.
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

# Ends what is followed, with all that it has started, and waits for that: the lock must not be free before.
end_followed() {
  local waited
  [[ -n $followed_pid ]] && kill -- "-$followed_pid" 2>/dev/null || return 0
  for ((waited = 0; waited < 100; waited++)); do
    kill -0 -- "-$followed_pid" 2>/dev/null || return 0
    sleep 0.1
  done
  kill -KILL -- "-$followed_pid" 2>/dev/null || true
}

# followed STATE LOG COMMAND…: runs a command in a process group of its own, whose output goes to LOG, and shows what
# it is at: what the command STATE says of LOG.
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

# Two builds at once would write over each other's files. The lock is a directory, which every system makes at once or
# not at all; in it is the process that has it.
readonly BUILD_LOCK=target/build.lock
readonly BUILD_LOCK_SECONDS=1800
building=

begin_build() {
  local waited=0 holder
  mkdir -p target
  until mkdir "$BUILD_LOCK" 2>/dev/null; do
    holder=$(cat "$BUILD_LOCK/pid" 2>/dev/null || true)
    # Without a process in it, its owner was killed before it wrote that down.
    if [[ -n $holder ]] && ! kill -0 "$holder" 2>/dev/null || [[ -z $holder && $waited -ge 10 ]]; then
      drop_lock_of "$holder"
      continue
    fi
    ((waited > 0)) || echo "      waits for another build, of process ${holder:-unknown}"
    ((waited < BUILD_LOCK_SECONDS)) ||
      fail "another build, of process ${holder:-unknown}, has not ended for $BUILD_LOCK_SECONDS s: end it, or remove $PWD/$BUILD_LOCK if there is none"
    sleep 1
    waited=$((waited + 1))
  done
  building=yes
  echo $$ >"$BUILD_LOCK/pid"
}

# drop_lock_of PROCESS: removes the lock that a killed process has left. Another one that waits may be faster, and have
# the lock by now: then it gets it back.
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

# run_maven MODULES LOG OPTION…: packages the modules and what they need.
run_maven() {
  local modules=$1 log=$2
  shift 2
  followed build_state "$log" \
    mvn -B "$@" package -pl "$modules" -am -DskipTests -Dspotless.check.skip -Denforcer.skip
}

# build MODULES LOG [OPTION…]: packages the modules and what they need, without the network where that works.
build() {
  local modules=$1 log=$2
  shift 2
  mkdir -p "$(dirname "$log")"
  SECONDS=0
  if ! run_maven "$modules" "$log" --offline "$@"; then
    echo "      not everything is here: downloads, once, $DOWNLOAD"
    run_maven "$modules" "$log" "$@" || {
      tail -n 30 "$log" >&2
      fail "the build has failed; the whole log is $log"
    }
  fi
  echo "      done in $SECONDS s"
}
