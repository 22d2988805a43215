"""The samples of docs/verify-tokens.md, as they are printed: each lets a good token in and no forged one."""

import base64
import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from cryptography.hazmat.primitives import hashes, hmac
from cryptography.hazmat.primitives.asymmetric import ec, utils

import sam

PAGE = (sam.REPOSITORY / "docs/verify-tokens.md").read_text()
KEY, FOREIGN = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())


def base64url(raw):
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def jwk():
    point = KEY.public_key().public_numbers()
    return {"kty": "EC", "crv": "P-256", "alg": "ES256", "use": "sig", "kid": "k",
            "x": base64url(point.x.to_bytes(32, "big")), "y": base64url(point.y.to_bytes(32, "big"))}


def token(issuer, key=KEY, alg="ES256", kid="k", **changed):
    claims = {"iss": issuer, "aud": "spillway", "sub": "ada", "groups": ["staff"],
              "exp": int(time.time()) + 600} | changed
    head = {"alg": alg, "kid": kid, "typ": "JWT"}
    signed = ".".join(base64url(json.dumps(part).encode()) for part in (head, claims))
    if alg == "none":
        return signed + "."
    if alg == "HS256":
        mac = hmac.HMAC(jwk()["x"].encode(), hashes.SHA256())
        mac.update(signed.encode())
        return f"{signed}.{base64url(mac.finalize())}"
    pair = utils.decode_dss_signature(key.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
    signature = b"".join(number.to_bytes(32, "big") for number in pair)
    return f"{signed}.{base64url(signature)}"


class Issuer(BaseHTTPRequestHandler):
    """Spillway's public paths; also the backend that nginx lets requests through to."""

    def do_GET(self):
        bearer = self.headers.get("Authorization", "").removeprefix("Bearer ")
        if self.path == "/.well-known/jwks.json":
            self.answer(200, {"keys": [jwk()]})
        elif self.path == "/me":
            self.answer(200 if bearer in self.server.good else 401, {})
        else:
            self.answer(200, {"login": "ada", "groups": ["staff"]})

    def answer(self, status, body):
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def issuer():
    with ThreadingHTTPServer(("127.0.0.1", 0), Issuer) as server:
        server.url = f"http://127.0.0.1:{server.server_port}"
        server.good = {token(server.url)}
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def sample(language, issuer, port):
    text = re.search(rf"^```{language}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)[1]
    text = text.replace("http://backend:8000", "http://backend").replace("8000", str(port))
    return text.replace("http://backend", issuer.url).replace("https://login.example", issuer.url)


def installed(start, folder, env):
    """Runs the page's command that begins like this; without a network there is nothing to try."""
    command = shlex.split(re.search(rf"`({start}[^`]*)`", PAGE)[1])
    if not shutil.which(command[0]):
        pytest.skip(f"no {command[0]}")
    run = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=300)
    if run.returncode:
        pytest.skip(f"{' '.join(command)}: {run.stderr[-300:]}")


def fastapi(folder, issuer, port):
    (folder / "app.py").write_text(sample("python", issuer, port))
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
    env = os.environ | {"PATH": f"{folder}/venv/bin:{os.environ['PATH']}"}
    installed("pip install", folder, env)
    return [f"{folder}/venv/bin/uvicorn", "app:app", "--port", str(port)]


def express(folder, issuer, port):
    (folder / "app.mjs").write_text(sample("js", issuer, port))
    installed("npm install", folder, os.environ)
    return ["node", "app.mjs"]


def go(folder, issuer, port):
    (folder / "main.go").write_text(sample("go", issuer, port))
    (folder / "go.mod").write_text("module sample\n\ngo 1.24\n")
    installed("go get", folder, os.environ)
    subprocess.run(["go", "build", "-o", "sample", "."], cwd=folder, check=True)
    return ["./sample"]


def nginx(folder, issuer, port):
    if not shutil.which("nginx"):
        pytest.skip("no nginx")
    places = "".join(f"{name}_temp_path {folder}/{name};" for name in
                     ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    (folder / "conf").write_text(
        f"error_log stderr; pid {folder}/pid; events {{}} http {{ access_log off; {places}"
        f" server {{ listen 127.0.0.1:{port};\n{sample('nginx', issuer, port)} }} }}")
    return ["nginx", "-p", str(folder), "-c", str(folder / "conf"), "-g", "daemon off;"]


def status(port, bearer):
    request = urllib.request.Request(f"http://127.0.0.1:{port}/whoami")
    if bearer is not None:
        request.add_header("Authorization", f"Bearer {bearer}")
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            assert json.load(answer) == {"login": "ada", "groups": ["staff"]}
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


def awaited(process, port):
    for _ in range(300):
        assert process.poll() is None, "the sample has ended"
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.1)
    pytest.fail("the sample does not listen")


@pytest.mark.parametrize("prepare", [fastapi, express, go, nginx])
def test_sample(prepare, issuer, tmp_path):
    port = free_port()
    process = subprocess.Popen(prepare(tmp_path, issuer, port), cwd=tmp_path)
    try:
        awaited(process, port)
        for good in issuer.good:
            assert status(port, good) == 200
        url = issuer.url
        forged = {
            "none at all": None,
            "no signature": token(url, alg="none"),
            "HMAC with the public key": token(url, alg="HS256"),
            "another key": token(url, key=FOREIGN),
            "an unknown kid": token(url, key=FOREIGN, kid="x"),
            "expired": token(url, exp=int(time.time()) - 600),
            "another audience": token(url, aud="another"),
            "another issuer": token("https://other.example"),
        }
        assert {name: status(port, each) for name, each in forged.items()} == dict.fromkeys(forged, 401)
    finally:
        process.terminate()
        process.wait(10)
