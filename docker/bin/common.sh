# The common part of docker/up, docker/try and docker/down. Source it from the root of the project, after `program` is
# set to the name at the start of errors.
# shellcheck shell=bash
. local-stack/bin/build.sh

readonly COMPOSE_NEEDED=2.21
env_file=()

check_docker() {
  command -v docker >/dev/null || fail "no docker found: install Docker with Compose $COMPOSE_NEEDED or newer, or run ./demo, which does not need them"
  local version
  version=$(docker compose version --short 2>/dev/null) ||
    fail "docker has no compose: install Docker's plugin compose, version $COMPOSE_NEEDED or newer"
  [[ $(printf '%s\n' "$COMPOSE_NEEDED" "${version#v}" | sort -V | head -n 1) == "$COMPOSE_NEEDED" ]] ||
    fail "Docker Compose has version $version: install $COMPOSE_NEEDED or newer"
  docker info >/dev/null 2>&1 ||
    fail "no Docker engine answers. Start it, or run this as a user who may use it: docker info shows the error"
}

# check_variables: a variable with an invalid value would make each later command fail.
check_variables() {
  local problem
  problem=$(compose config --quiet 2>&1) ||
    fail "docker/compose.yaml does not work with your variables: $problem. They come from the shell and docker/.env; docker/README.md lists them"
}

compose() {
  docker compose --progress quiet -f docker/compose.yaml ${env_file[@]+"${env_file[@]}"} "$@"
}
