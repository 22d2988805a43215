#!/usr/bin/env bash
# Makes the AOT cache of a packaged service (JEP 483, 514, 515): runs it once, lets it answer some thousand
# logins, and has the JVM write down on its way out which classes it loaded and linked and what it learned
# of the methods. The cache is good for this JVM and for these files, at this place.
#   train.sh FOLDER [JAVA]     writes FOLDER/app.aot
# Wants bash alone, because it runs in the image, which has nothing else to call a service with.
set -euo pipefail

folder=$1
java=${2:-java}
port=8123
logins=500
connections=8

# Cheap hashes: it is all the rest that has to be learned. Nothing is shed, however busy the machine is that
# builds, and nothing throttled. Of whoever calls this it gets no setting and no configuration file: it must
# not find his database, nor spill to his functions.
empty=$(mktemp -d)
(cd "$empty" && exec env -i PATH="$PATH" \
  SPILLWAY_DATABASE_KIND=h2 \
  SPILLWAY_DATABASE_URL='jdbc:h2:mem:training;DB_CLOSE_DELAY=-1' \
  SPILLWAY_HASHING_COST=4 \
  SPILLWAY_POOL_PRIORITY=normal \
  SPILLWAY_POOL_ENQUEUE_TIMEOUT=2s SPILLWAY_POOL_MAX_WAIT=2s \
  SPILLWAY_BOOTSTRAP_DEMO_USER=true \
  SPILLWAY_THROTTLE_EXEMPT=127.0.0.0/8 \
  QUARKUS_HTTP_HOST=127.0.0.1 QUARKUS_HTTP_PORT=$port QUARKUS_SHUTDOWN_DELAY=0s \
  QUARKUS_VERTX_CACHING=false QUARKUS_VERTX_CLASSPATH_RESOLVING=false \
  "$java" -XX:AOTCacheOutput="$folder/app.aot" -Djava.library.path="$folder/native" -jar "$folder/quarkus-run.jar") >"$folder/training.log" 2>&1 &
service=$!
trap 'kill -9 $service 2>/dev/null || :; rm -rf "$empty"' EXIT

give_up() {
  cat "$folder/training.log" >&2
  echo "train.sh: $1" >&2
  exit 1
}

get() { # path
  exec 3<>/dev/tcp/127.0.0.1/$port && printf 'GET %s HTTP/1.0\r\n\r\n' "$1" >&3 && cat <&3
} 2>/dev/null

tries=0
until get /q/health/ready | grep -q '^HTTP/1.. 200'; do
  kill -0 "$service" 2>/dev/null || give_up 'the service did not start'
  tries=$((tries + 1))
  [ "$tries" -lt 600 ] || give_up 'the service is not ready after a minute'
  sleep 0.1
done

kill -0 "$service" 2>/dev/null || give_up "another service is at port $port"

request() { # body, how the connection goes on
  printf 'POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
  printf 'Connection: %s\r\nContent-Length: %d\r\n\r\n%s' "$2" "${#1}" "$1"
}

# All of a connection's logins at once: they are answered one after the other.
login() {
  exec 3<>/dev/tcp/127.0.0.1/$port
  {
    for ((i = 1; i < logins; i++)); do
      case $((i % 10)) in
        8) request '{"login":"demo","password":"a wrong one"}' keep-alive ;;
        9) request "{\"login\":\"nobody-$i\",\"password\":\"x\"}" keep-alive ;;
        *) request '{"login":"demo","password":"demo-password"}' keep-alive ;;
      esac
    done
    request '{"login":"demo"}' close
  } >&3 &
  # A body ends without a new line, so an answer may begin in the middle of one.
  grep -ao 'HTTP/1.1 200' <&3 | wc -l
}

answered=0
for round in 1 2; do
  for ((c = 0; c < connections; c++)); do
    login >"$folder/training.$c" &
    pids[c]=$!
  done
  wait "${pids[@]}" || :
  for ((c = 0; c < connections; c++)); do
    answered=$((answered + $(cat "$folder/training.$c")))
    rm "$folder/training.$c"
  done
done
for path in /q/health/live /q/metrics /.well-known/jwks.json /q/openapi; do get "$path" >/dev/null; done
[ "$answered" -ge 1000 ] || give_up "only $answered logins were answered: that teaches too little"

# Netty would unpack its own into /tmp, which is not there to be written where this is to run.
grep -q "$folder/native/.*epoll" "/proc/$service/maps" || give_up "the library for epoll is not that of $folder/native"

kill "$service"
wait "$service" || :
[ -s "$folder/app.aot" ] || give_up 'the JVM wrote no cache'
rm "$folder/training.log"
echo "trained by $answered logins: $folder/app.aot, $(($(wc -c <"$folder/app.aot") >> 20)) MB"
