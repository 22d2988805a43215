"""Whether Lambda can run the native program in a function's package: bootstrap.py ZIP [ARCHITECTURE]

Runs on any Python from 3.10, with nothing installed beside it: a build calls it before the other
checkers' tools are there.
"""

import re
import struct
import sys
import zipfile

# Amazon Linux 2023, on which provided.al2023 runs, has glibc 2.34 for good. A program that was linked
# on a newer system may want a newer one, and then dies at its start.
GLIBC = (2, 34)
# e_machine of elf(5), by Lambda's name for it.
MACHINES = {62: "x86_64", 183: "arm64"}
HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
SECTION = struct.Struct("<IIQQQQIIQQ")
SHT_GNU_VERNEED = 0x6FFFFFFE
OWNER_EXECUTE = 0o100 << 16


class Unfit(Exception):
    """Why Lambda would refuse the package or the program would not start."""


def read(package) -> tuple[bytes, int]:
    """The program, and its mode as the zip has it."""
    try:
        with zipfile.ZipFile(package) as zip:
            return zip.read("bootstrap"), zip.getinfo("bootstrap").external_attr
    except (OSError, zipfile.BadZipFile) as e:
        raise Unfit(f"it cannot be read: {e}") from e
    except KeyError as e:
        raise Unfit("it has no bootstrap at its root: it is a package for the JVM") from e


def inspect(program: bytes) -> tuple[str, tuple[int, int]]:
    """The architecture it is for, and the newest glibc it asks for; (0, 0) for none."""
    if program[:6] != b"\x7fELF\x02\x01" or len(program) < HEADER.size:
        raise Unfit("its bootstrap is no 64-bit program for Linux")
    _, _, machine, _, _, _, at, _, _, _, _, size, count, _ = HEADER.unpack_from(program)
    if machine not in MACHINES:
        raise Unfit(f"its bootstrap is for a machine that Lambda has not: e_machine {machine}")
    sections = [SECTION.unpack_from(program, at + size * i) for i in range(count)]
    wanted = (0, 0)
    for section in sections:
        if section[1] == SHT_GNU_VERNEED:
            _, _, _, _, start, length, *_ = sections[section[6]]  # sh_link: its strings
            for major, minor in re.findall(rb"GLIBC_(\d+)\.(\d+)", program[start : start + length]):
                wanted = max(wanted, (int(major), int(minor)))
    return MACHINES[machine], wanted


def check(package, architecture: str | None = None) -> str:
    """What the package is; raises Unfit where Lambda cannot run it."""
    program, mode = read(package)
    if not mode & OWNER_EXECUTE:
        raise Unfit("its bootstrap is not executable")
    machine, glibc = inspect(program)
    if architecture and machine != architecture:
        raise Unfit(f"its bootstrap is for {machine}, not for {architecture}")
    if glibc > GLIBC:
        raise Unfit(
            f"its bootstrap wants glibc {glibc[0]}.{glibc[1]}, Lambda has {GLIBC[0]}.{GLIBC[1]}: "
            "build it in a container, or on a system as old as Amazon Linux 2023"
        )
    needs = f"glibc {glibc[0]}.{glibc[1]}" if glibc > (0, 0) else "no glibc"
    return f"{package}: for {machine}, needs {needs}"


if __name__ == "__main__":
    try:
        print(check(*sys.argv[1:3]))
    except Unfit as e:
        sys.exit(f"{sys.argv[1]}: {e}")
