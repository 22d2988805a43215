"""What runs on GitHub is pinned: every action to a commit, every runner to a release of its system."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

WORKFLOWS = sorted((Path(__file__).parents[2] / ".github/workflows").glob("*.yml"))
PINNED = re.compile(r"[\w.-]+/[\w./-]+@[0-9a-f]{40}")
# Which files Dependabot reads for each of its ecosystems.
ECOSYSTEMS = {
    "maven": "pom.xml",
    "docker": "Dockerfile",
    "docker-compose": "compose.yaml",
    "pip": "requirements.txt",
}
BUILT = {"target", ".venv", ".venv-api", "node_modules"}


def values(node, key):
    """All values of a key, however deep."""
    if isinstance(node, dict):
        for name, value in node.items():
            if name == key:
                yield value
            yield from values(value, key)
    elif isinstance(node, list):
        for each in node:
            yield from values(each, key)


def faults(workflow):
    for action in values(workflow, "uses"):
        if not PINNED.fullmatch(action):
            yield f"{action} is not pinned to a commit"
    runners = [*values(workflow, "runs-on"), *values(workflow, "runner")]
    for runner in runners:
        for name in runner if isinstance(runner, list) else [runner]:
            if name.endswith("-latest"):
                yield f"{name} is another system one day"
    for job, content in workflow["jobs"].items():
        if "timeout-minutes" not in content:
            yield f"{job} may run for six hours"
    if workflow.get("permissions") != {"contents": "read"}:
        yield "what a job may is not said: read, and more only where a job says so"


def test_there_are_workflows():
    assert [path.name for path in WORKFLOWS] == ["build.yml", "release.yml"]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_is_pinned(path):
    assert not list(faults(yaml.safe_load(path.read_text())))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_commit_is_named_by_its_version(path):
    uses = [line for line in path.read_text().splitlines() if "uses:" in line]
    assert [line for line in uses if not re.search(r"@[0-9a-f]{40} # v\d+\.\d+\.\d+$", line)] == []


def test_every_pin_is_renewed():
    root = WORKFLOWS[0].parents[2]
    updates = yaml.safe_load((root / ".github/dependabot.yml").read_text())["updates"]
    renewed = {(each["package-ecosystem"], folder)
               for each in updates for folder in each.get("directories", [each.get("directory")])}
    assert ("github-actions", "/") in renewed
    for ecosystem, name in ECOSYSTEMS.items():
        for path in root.rglob(name):
            inside = path.relative_to(root)
            if BUILT.isdisjoint(inside.parts):
                # Maven's modules are found from the root's pom.xml.
                folder = "/" if ecosystem == "maven" else f"/{inside.parent}"
                assert (ecosystem, folder) in renewed, inside


@pytest.mark.parametrize(
    "fault, said",
    [
        ({"steps": [{"uses": "actions/checkout@v4.2.2"}]}, "not pinned"),
        ({"steps": [{"uses": "actions/checkout@main"}]}, "not pinned"),
        ({"runs-on": "ubuntu-latest"}, "another system"),
        ({"strategy": {"matrix": {"runner": ["ubuntu-24.04", "macos-latest"]}}}, "another system"),
    ],
)
def test_fault_is_found(fault, said):
    workflow = {"permissions": {"contents": "read"}, "jobs": {"j": {"timeout-minutes": 1, **fault}}}
    assert any(said in each for each in faults(workflow))


def test_unlimited_job_is_found():
    assert len(list(faults({"jobs": {"j": {}}}))) == 2


@pytest.fixture
def actionlint():
    """Knows GitHub's grammar and expressions; .ci/run builds it where there is a Go."""
    found = os.environ.get("SPILLWAY_ACTIONLINT") or shutil.which("actionlint")
    if not found:
        print("no actionlint in the PATH: go install github.com/rhysd/actionlint/cmd/actionlint@v1.7.12")
        pytest.skip("no actionlint in the PATH")
    return [found, "-no-color", "-shellcheck=", "-pyflakes="]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_actionlint_finds_nothing(actionlint, path):
    assert subprocess.run([*actionlint, path], capture_output=True, text=True).stdout == ""


@pytest.mark.parametrize(
    "right, wrong",
    [
        ("needs: test", "needs: tests"),
        ("${{ matrix.runner }}", "${{ matrix.runer }}"),
        ("github.actor", "github.acter"),
        ("timeout-minutes: 60", "timeout-minute: 60"),
    ],
)
def test_actionlint_finds(actionlint, tmp_path, right, wrong):
    text = (WORKFLOWS[0].parent / "release.yml").read_text()
    assert right in text
    seeded = tmp_path / "release.yml"
    seeded.write_text(text.replace(right, wrong))
    assert subprocess.run([*actionlint, seeded], capture_output=True).returncode == 1
