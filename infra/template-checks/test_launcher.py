"""./spillway config-from-stack, with the real AWS CLI, against a CloudFormation that knows one stack."""

import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from urllib.parse import parse_qs

import pytest

import sam
from stack import PSEUDO, Stack


def outputs(region: str) -> dict[str, str]:
    """What template.yaml's outputs come to, once the alias has an ARN."""
    stack = Stack(sam.transform(sam.read(sam.FUNCTION)))
    arn = f"arn:aws:lambda:{region}:000000000000:function:hash:live"
    text = stack.outputs["Configuration"]["Value"].replace("${HashFunctionAliaslive}", arn)
    text = text.replace(PSEUDO["AWS::Region"], region)
    return {
        "CallerPolicyArn": "arn:aws:iam::1:policy/p",
        "Configuration": text,
        "SealingSecretArn": f"arn:aws:secretsmanager:{region}:1:secret:s",
    }


class CloudFormation(BaseHTTPRequestHandler):
    def do_POST(self):
        asked = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        # The signature's scope says which region is meant: .../20261130/eu-west-1/cloudformation/...
        region = self.headers["Authorization"].split("/")[2]
        if asked["StackName"] == ["hash"]:
            status, body = 200, self.stack(region, "CREATE_COMPLETE", outputs(region))
        elif asked["StackName"] == ["failed"]:
            status, body = 200, self.stack(region, "ROLLBACK_COMPLETE", {})
        elif asked["StackName"] == ["partly"]:
            deployed = region == "eu-central-1"
            status, body = 200, self.stack(region, "REVIEW_IN_PROGRESS", outputs(region) if deployed else {})
        else:
            status, body = 400, (
                "<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code>"
                "<Message>Stack with id other does not exist</Message></Error></ErrorResponse>"
            )
        self.send_response(status)
        self.send_header("Content-Type", "text/xml")
        self.end_headers()
        self.wfile.write(body.encode())

    def stack(self, region, status, known):
        members = "".join(
            f"<member><OutputKey>{key}</OutputKey><OutputValue>{value}</OutputValue></member>"
            for key, value in known.items()
        )
        # CloudFormation leaves the element out where a stack has no outputs.
        listed = f"<Outputs>{members}</Outputs>" if known else ""
        return (
            "<DescribeStacksResponse><DescribeStacksResult><Stacks><member>"
            "<StackName>hash</StackName><CreationTime>2026-11-30T00:00:00Z</CreationTime>"
            f"<StackStatus>{status}</StackStatus>{listed}"
            "</member></Stacks></DescribeStacksResult></DescribeStacksResponse>"
        )

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def endpoint():
    with HTTPServer(("127.0.0.1", 0), CloudFormation) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def config_from_stack(endpoint, *arguments, **environment):
    tools = Path(sys.executable).parent
    return subprocess.run(
        [sam.REPOSITORY / "spillway", "config-from-stack", *arguments],
        env={
            "PATH": f"{tools}:{os.environ['PATH']}",
            "AWS_ENDPOINT_URL": endpoint,
            "AWS_ACCESS_KEY_ID": "x",
            "AWS_SECRET_ACCESS_KEY": "x",
        }
        | environment,
        capture_output=True,
        text=True,
    )


def test_every_region_is_a_target(endpoint):
    run = config_from_stack(endpoint, "hash", "eu-central-1", "eu-west-1")

    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines() == [
        line
        for region in ("eu-central-1", "eu-west-1")
        for line in (
            f"spillway.spill.targets.{region}.function="
            f"arn:aws:lambda:{region}:000000000000:function:hash:live",
            f"spillway.spill.targets.{region}.max-outstanding=50",
            "spillway.spill.sealing.use=a",
        )
    ]
    assert "the value of the secret arn:aws:secretsmanager:eu-west-1:1:secret:s" in run.stderr


def test_region_of_the_environment(endpoint):
    run = config_from_stack(endpoint, "hash", AWS_DEFAULT_REGION="eu-west-1")

    assert run.returncode == 0, run.stderr
    assert "arn:aws:lambda:eu-west-1:" in run.stdout


def test_stack_that_does_not_exist(endpoint):
    run = config_from_stack(endpoint, "other", "eu-central-1")

    assert run.returncode == 1
    assert "does not exist" in run.stderr
    assert run.stdout == ""


def test_stack_without_outputs_fails(endpoint):
    run = config_from_stack(endpoint, "failed", "eu-central-1")

    assert run.returncode == 1
    assert "status ROLLBACK_COMPLETE" in run.stderr
    assert run.stdout == ""


def test_one_region_without_outputs_prints_none(endpoint):
    run = config_from_stack(endpoint, "partly", "eu-central-1", "eu-west-1")

    assert run.returncode == 1
    assert "partly in eu-west-1" in run.stderr
    assert run.stdout == ""


def test_stack_is_required(endpoint):
    assert config_from_stack(endpoint).returncode == 2
