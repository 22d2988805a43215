#!/bin/sh
# LocalStack runs it when it is ready: deploys the function with template.yaml's settings and three
# environments, and starts all three, because a cold start takes longer than a login may wait.
set -eu
rm -f /tmp/deployed
awslocal lambda create-function --function-name HashFunction --runtime java25 \
  --handler io.quarkus.amazon.lambda.runtime.QuarkusStreamHandler::handleRequest \
  --zip-file fileb:///function.zip --memory-size 1769 --timeout 6 \
  --environment 'Variables={SPILLWAY_FUNCTION_MAX_COST=15}' \
  --role arn:aws:iam::000000000000:role/hash-function
awslocal lambda wait function-active-v2 --function-name HashFunction
awslocal lambda put-function-concurrency --function-name HashFunction --reserved-concurrent-executions 3
awslocal lambda publish-version --function-name HashFunction
awslocal lambda create-alias --function-name HashFunction --name live --function-version 1
# Calls at the same time start one each.
printf '{"v":1,"jobs":[{"id":"0","setting":"$2b$12$CCCCCCCCCCCCCCCCCCCCC.","password":""}]}' >/tmp/job
calls=''
for call in 1 2 3; do
  awslocal lambda invoke --function-name HashFunction:live --payload fileb:///tmp/job "/tmp/answer-$call" &
  calls="$calls $!"
done
for call in $calls; do
  wait "$call"
done
echo HashFunction:live >/tmp/deployed
