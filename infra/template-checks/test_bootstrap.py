"""A package that Lambda can run, and that each way of being wrong is found. The program is Python's own."""

import re
import struct
import subprocess
import sys
import zipfile

import pytest

import bootstrap
import sam

if sys.platform != "linux":
    pytest.skip("this interpreter is no program for Linux", allow_module_level=True)


def program(machine=62, glibc=b"2.17") -> bytes:
    """This interpreter, with another machine in its header and other versions among its needs."""
    with open(sys.executable, "rb") as f:
        elf = bytearray(f.read())
    struct.pack_into("<H", elf, 18, machine)
    return re.sub(
        rb"GLIBC_2\.(\d+)",
        lambda it: b"GLIBC_" + glibc if len(it[1]) == len(glibc) - 2 else it[0],
        bytes(elf),
    )


def package(directory, program: bytes, name="bootstrap", mode=0o755):
    path = directory / "function.zip"
    with zipfile.ZipFile(path, "w") as zip:
        entry = zipfile.ZipInfo(name)
        entry.external_attr = (0o100000 | mode) << 16
        zip.writestr(entry, program)
    return path


def said(package, *architecture) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, bootstrap.__file__, package, *architecture], capture_output=True, text=True
    )


@pytest.mark.parametrize(("machine", "name"), [(62, "x86_64"), (183, "arm64")])
def test_newest_glibc_that_lambda_has_is_fine(tmp_path, machine, name):
    run = said(package(tmp_path, program(machine, glibc=b"2.34")), name)

    assert run.returncode == 0, run.stderr
    assert run.stdout.strip().endswith(f"for {name}, needs glibc 2.34")


def test_newer_glibc_is_found(tmp_path):
    run = said(package(tmp_path, program(glibc=b"2.35")))

    assert run.returncode == 1
    assert "wants glibc 2.35, Lambda has 2.34" in run.stderr


def test_other_architecture_is_found(tmp_path):
    run = said(package(tmp_path, program(183, glibc=b"2.34")), "x86_64")

    assert run.returncode == 1
    assert "for arm64, not for x86_64" in run.stderr


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ({"program": b"#!/bin/sh\n"}, "no 64-bit program for Linux"),
        ({"program": program(40)}, "a machine that Lambda has not: e_machine 40"),
        ({"program": program(), "name": "lib/application.jar"}, "no bootstrap at its root"),
        ({"program": program(), "mode": 0o644}, "not executable"),
    ],
)
def test_fault_is_found(tmp_path, content, says):
    run = said(package(tmp_path, **content))

    assert run.returncode == 1
    assert says in run.stderr


def test_no_package_is_said(tmp_path):
    run = said(tmp_path / "function.zip")

    assert run.returncode == 1
    assert "cannot be read" in run.stderr


def test_launcher_says_so_too(tmp_path):
    run = subprocess.run(
        [sam.REPOSITORY / "spillway", "check-package", package(tmp_path, program(40))],
        capture_output=True,
        text=True,
    )

    assert run.returncode == 1
    assert "e_machine 40" in run.stderr
