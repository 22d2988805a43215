#!/bin/sh
# What deploy-function.sh does on LocalStack: the function is there, and its three environments are started.
set -eu
java -jar /local-lambda/local-lambda.jar --template /template.yaml --parameter Variant=jvm \
  --parameter Sealing=no --function-package /function.zip --region us-east-1 --concurrency 3 \
  --port 4566 --port-file /tmp/port &
lambda=$!
trap 'kill $lambda' TERM INT
until [ -s /tmp/port ]; do
  kill -0 $lambda
  sleep 0.2
done
printf '{"v":1,"jobs":[{"id":"0","setting":"$2b$12$CCCCCCCCCCCCCCCCCCCCC.","password":""}]}' >/tmp/job
for call in 1 2 3; do
  busybox wget -q -O "/tmp/answer-$call" --post-file /tmp/job \
    http://127.0.0.1:4566/2015-03-31/functions/HashFunction/invocations &
  calls="${calls:-} $!"
done
for call in $calls; do
  wait "$call"
done
echo HashFunction >/tmp/deployed
wait $lambda
