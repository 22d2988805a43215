#!/bin/sh
# Run by LocalStack once it is ready: the function as template.yaml would have it, with as many
# environments as this machine may have cores to spare.
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
# The first environment is started here, and not by the first login that spills.
awslocal lambda invoke --function-name HashFunction:live --payload '{"v":1,"jobs":[]}' \
  --cli-binary-format raw-in-base64-out /tmp/first
echo HashFunction:live >/tmp/deployed
