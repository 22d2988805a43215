"""Every call of the AWS CLI in documents and scripts, as its two major versions understand it."""

import json
import os
import re
import shutil
import subprocess
import sys
import threading
import zipfile
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import sam

ROOT = sam.REPOSITORY
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "infra").rglob("*.md"))]
SCRIPTS = sorted((ROOT / "infra").rglob("*.sh"))
CALL = re.compile(r"\b(?:aws|awslocal) [a-z]")
FENCED = re.compile(r"^```\w*\n(.*?)^```", re.DOTALL | re.MULTILINE)
INLINE = re.compile(r"`((?:aws|awslocal) [a-z][^`]+)`")

# A shell that has no command but the CLI's name, which notes its arguments and answers "x".
PRELUDE = "command_not_found_handle() { return 0; }\n"
STUB = """#!{python} -IS
import json, sys
with open({record!r}, "a") as file:
    file.write(json.dumps(sys.argv[1:]) + "\\n")
print("x")
"""


def shell_of(path):
    """The pieces of shell of a file that call the CLI."""
    text = path.read_text()
    if path.suffix == ".md":
        pieces = [*FENCED.findall(text), *(" ".join(each.split()) for each in INLINE.findall(FENCED.sub("", text)))]
    else:
        pieces = [text]
    return [piece for piece in pieces if CALL.search(piece)]


def calls(piece, folder):
    """The arguments of each call of the CLI that a piece of shell makes."""
    record = folder / "calls"
    record.unlink(missing_ok=True)
    for name in ("aws", "awslocal"):
        stub = folder / name
        stub.write_text(STUB.format(python=sys.executable, record=str(record)))
        stub.chmod(0o755)
    run = subprocess.run(
        [shutil.which("bash"), "-c", PRELUDE + piece.replace("/tmp/", f"{folder}/")],
        cwd=folder,
        env={"PATH": str(folder)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert "syntax error" not in run.stderr, run.stderr
    return [json.loads(line) for line in record.read_text().splitlines()] if record.exists() else []


class Refusing(BaseHTTPRequestHandler):
    """An AWS that takes nothing: the CLI has understood its arguments once it asks."""

    def do_GET(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.asked.append(self.path)
        body = b'{"message": "no"}'
        self.send_response(400)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_PUT = do_GET

    def log_message(self, *_):
        pass


def complaint(cli, arguments, folder):
    """What the CLI says against the arguments; None if it went on to ask AWS."""
    # The CLI looks whether a function's package is a zip, and at nothing else that a file has in it.
    with zipfile.ZipFile(folder / "file", "w") as archive:
        archive.writestr("bootstrap", "")
    arguments = [re.sub("^(fileb?)://.*", rf"\1://{folder}/file", each) for each in arguments]
    with ThreadingHTTPServer(("127.0.0.1", 0), Refusing) as server:
        server.asked = []
        threading.Thread(target=server.serve_forever, daemon=True).start()
        run = subprocess.run(
            [cli, *arguments, "--endpoint-url", f"http://127.0.0.1:{server.server_port}"],
            cwd=ROOT,
            env={
                "PATH": os.environ["PATH"],
                "HOME": str(folder),
                "AWS_ACCESS_KEY_ID": "x",
                "AWS_SECRET_ACCESS_KEY": "x",
                "AWS_DEFAULT_REGION": "eu-central-1",
                "AWS_MAX_ATTEMPTS": "1",
                "AWS_PAGER": "",
            },
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
        )
        server.shutdown()
        return None if server.asked else run.stderr or run.stdout


def version(cli):
    return subprocess.run([cli, "--version"], capture_output=True, text=True).stdout


@pytest.fixture(scope="module", params=["1", "2"])
def cli(request):
    """Version 1 is among our tools, and LocalStack's own; 2 is AWS's and Debian's."""
    folders = [str(Path(sys.executable).parent), *os.environ["PATH"].split(os.pathsep)]
    for found in filter(None, (shutil.which("aws", path=folder) for folder in folders)):
        if version(found).startswith(f"aws-cli/{request.param}"):
            return found
    said = f"no AWS CLI {request.param} in the PATH (Debian: awscli)"
    if os.environ.get("SPILLWAY_PROGRAMS") == "required":
        pytest.fail(said)
    pytest.skip(said)


@pytest.fixture(scope="module")
def called(tmp_path_factory):
    folder = tmp_path_factory.mktemp("calls")
    found = {path: [call for piece in shell_of(path) for call in calls(piece, folder)]
             for path in [*DOCUMENTS, *SCRIPTS]}
    return {path: each for path, each in found.items() if each}


def test_calls_are_found(called):
    found = {str(path.relative_to(ROOT)): [call[:2] for call in each] for path, each in called.items()}
    assert ["ecr", "get-login-password"] in found["docs/deploy.md"]
    assert ["sts", "get-caller-identity"] in found["docs/deploy.md"]
    assert found["infra/compose/deploy-function.sh"].count(["lambda", "invoke"]) == 3
    assert found["infra/local-lambda/README.md"]


def test_cli_understands(cli, called, tmp_path):
    distinct = {tuple(call): path for path, each in called.items() for call in each}
    with ThreadPoolExecutor(2) as pool:
        folders = [tmp_path / str(number) for number in range(len(distinct))]
        for folder in folders:
            folder.mkdir()
        said = pool.map(complaint, [cli] * len(distinct), distinct, folders)
        faults = [f"{path}: {' '.join(call)}: {each}" for (call, path), each in zip(distinct.items(), said) if each]
    assert not faults, "\n".join(faults)


def test_option_of_one_version_is_found(tmp_path):
    one = shutil.which("aws", path=str(Path(sys.executable).parent))
    call = ["lambda", "invoke", "--function-name", "f", "--cli-binary-format", "raw-in-base64-out", "x"]
    assert "cli-binary-format" in complaint(one, call, tmp_path)
