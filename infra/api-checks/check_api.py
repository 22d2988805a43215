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


def post(url: str, bearer: str, media_type: str, body: bytes) -> None:
    headers = {"Authorization": f"Bearer {bearer}", "Content-Type": media_type}
    with urllib.request.urlopen(urllib.request.Request(url, body, headers), timeout=60) as answer:
        answer.read()


def far_admin(url: str, bearer: str) -> str:
    """Token of an admin behind a thousand users: who is disabled or deleted by a request that was made up has
    an id that is easily made up, and a token is no admin's when its user is none."""
    line = '{{"login":"user{}","hash":"$2b$04$' + 53 * "." + '"}}\n'
    post(f"{url}/users/import", bearer, "application/x-ndjson", "".join(map(line.format, range(1000))).encode())
    admin = {"login": "far-admin", "password": "far-password", "groups": ["admin"]}
    post(f"{url}/users", bearer, "application/json", json.dumps(admin).encode())
    return token(url, admin["login"], admin["password"])


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
    bearer = far_admin(url, token(url, login, password))
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
