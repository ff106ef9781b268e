# Settings of the servers from the environment. Sourced by the start scripts of the images.
# shellcheck shell=bash

# environment: the container's variables, NAME=VALUE, each ended by a NUL. Bash itself drops the names
# that contain a dot or a hyphen.
environment() {
  cat /proc/$$/environ
}

# properties_from PREFIX: the variables that begin with PREFIX, as lines of a properties file. Of the rest of
# a name, _ becomes a dot, __ an underscore and ___ a hyphen, as in the images of Apache Kafka.
# Example: KAFKA_LOG_DIRS=/data gives log.dirs=/data.
properties_from() {
  local prefix=$1 variable name value
  while IFS= read -r -d '' variable; do
    [[ $variable == "$prefix"*=* ]] || continue
    name=${variable%%=*}
    value=${variable#*=}
    name=${name#"$prefix"}
    name=${name,,}
    name=${name//___/-}
    name=${name//__/$'\1'}
    name=${name//_/.}
    name=${name//$'\1'/_}
    value=${value//\\/\\\\}
    value=${value//$'\n'/\\n}
    printf '%s=%s\n' "$name" "$value"
  done < <(environment)
}

escaped() {
  local text=${1//&/&amp;}
  text=${text//</&lt;}
  printf '%s' "${text//>/&gt;}"
}

# site_from PREFIX: the variables that begin with PREFIX, as one of Hadoop's XML files. The rest of a name is
# the key, as in the images of Apache Hadoop. Example: HDFS-SITE.XML_dfs.replication=3.
site_from() {
  local prefix=$1 variable name
  echo '<?xml version="1.0"?>'
  echo '<configuration>'
  while IFS= read -r -d '' variable; do
    [[ $variable == "$prefix"*=* ]] || continue
    name=${variable%%=*}
    printf '  <property><name>%s</name><value>%s</value></property>\n' \
      "$(escaped "${name#"$prefix"}")" "$(escaped "${variable#*=}")"
  done < <(environment)
  echo '</configuration>'
}
