"""Asks a running service so many requests made from its OpenAPI document, and fails on any answer that
the document does not foresee. Usage: check_api.py URL REQUESTS LOGIN PASSWORD"""

import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

# Not "a wrong request is refused" and its opposite: the document does not tell all rules of a login name,
# and a hash that is well-formed need not be one that can be verified.
CHECKS = ",".join(
    [
        "not_a_server_error",
        "status_code_conformance",
        "content_type_conformance",
        "response_schema_conformance",
        "response_headers_conformance",
        "unsupported_method",
        "ignored_auth",
    ]
)


def token(url: str, login: str, password: str) -> str:
    body = json.dumps({"login": login, "password": password}).encode()
    request = urllib.request.Request(f"{url}/login", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)["access_token"]


def served(url: str) -> int:
    """Requests that the service itself has counted."""
    with urllib.request.urlopen(f"{url}/q/metrics", timeout=30) as answer:
        lines = answer.read().decode().splitlines()
    counts = [re.fullmatch(r"http_server_requests_seconds_count\{.*\} ([0-9.E+]+)", line) for line in lines]
    return int(sum(float(count[1]) for count in counts if count))


def ask(url: str, bearer: str, seed: int, examples: int) -> bool:
    command = [
        str(Path(sys.executable).parent / "schemathesis"), "run", f"{url}/q/openapi",
        "--url", url,
        "--header", f"Authorization: Bearer {bearer}",
        "--phases", "examples,coverage,fuzzing",
        "--checks", CHECKS,
        "--max-examples", str(examples),
        "--seed", str(seed),
        "--workers", "2",
        "--request-timeout", "60",
        "--suppress-health-check", "all",
        "--generation-database", "none",
        "--continue-on-failure",
        "--warnings", "off",
        "--no-color",
    ]  # fmt: skip
    here = str(Path(__file__).parent)
    environment = {**os.environ, "PYTHONPATH": here, "PYTHONDONTWRITEBYTECODE": "1", "SCHEMATHESIS_HOOKS": "ndjson"}
    with tempfile.TemporaryDirectory() as scratch:
        run = subprocess.run(
            command, cwd=scratch, env=environment, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
        )  # fmt: skip
    if run.returncode != 0:
        print(run.stdout)
    return run.returncode == 0


def main() -> int:
    url, wanted, login, password = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
    # Once: a request may well give the admin another password.
    bearer = token(url, login, password)
    first = served(url)
    seed = 0
    while (asked := served(url) - first) < wanted:
        seed += 1
        # A round has what the document's every corner asks for, and so many examples of each operation.
        examples = 25 if wanted - asked < 2_000 else 200
        if not ask(url, bearer, seed, examples):
            print(f"check-api: an answer is not as documented, after {served(url) - first} requests (seed {seed})")
            return 1
    print(f"check-api: {asked} requests in {seed} rounds, each answered as documented")
    return 0


if __name__ == "__main__":
    sys.exit(main())
