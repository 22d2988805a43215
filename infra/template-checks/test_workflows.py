"""What runs on GitHub is pinned: every action to a commit, every runner to a release of its system."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
PINNED = re.compile(r"[\w.-]+/[\w./-]+@[0-9a-f]{40}")
# Which files Dependabot reads for each of its ecosystems.
ECOSYSTEMS = {
    "maven": "pom.xml",
    "docker": "Dockerfile",
    "docker-compose": "compose.yaml",
    "pip": "requirements.txt",
    "npm": "package.json",
    "gomod": "go.mod",
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


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_step_is_a_script_of_the_project(path):
    for run in values(yaml.safe_load(path.read_text())["jobs"], "run"):
        assert re.match(r"(\.ci/|\./spillway |gh release )", run) and "\n" not in run, run
        if not run.startswith("gh "):
            assert os.access(ROOT / run.split()[0], os.X_OK), run


def release(*arguments):
    return subprocess.run([ROOT / ".ci/release", *arguments], capture_output=True, text=True)


def test_every_step_of_the_release_is_known():
    text = (ROOT / ".ci/release").read_text()
    for step in re.findall(r"\.ci/release (\S+)", "".join(path.read_text() for path in WORKFLOWS)):
        assert f"\n  {step})" in text


def test_unknown_step_of_the_release_is_refused():
    assert release("nothing").returncode == 2


@pytest.mark.parametrize(
    "version, tag, section, said",
    [
        ("1.2.3", "v1.2.3", "1.2.3", ""),
        ("1.2.3", "v1.2.4", "1.2.4", "pom.xml says 1.2.3, the tag v1.2.4"),
        ("1.2.3", "v1.2.3", "1.2.2", "CHANGELOG.md has no section 1.2.3"),
    ],
)
def test_tag_is_the_version_that_is_built(tmp_path, version, tag, section, said):
    (tmp_path / ".ci").mkdir()
    script = shutil.copy(ROOT / ".ci/release", tmp_path / ".ci")
    pom = (ROOT / "pom.xml").read_text()
    built = re.search("<version>(.*)</version>", pom)[1]
    (tmp_path / "pom.xml").write_text(pom.replace(f"<version>{built}<", f"<version>{version}<", 1))
    (tmp_path / "CHANGELOG.md").write_text(f"## [Unreleased]\n\n## [{section}]\n")
    run = subprocess.run([script, "version", tag], capture_output=True, text=True)
    assert (run.returncode == 0, run.stderr.strip()) == (not said, said)


def test_every_pin_is_renewed():
    updates = yaml.safe_load((ROOT / ".github/dependabot.yml").read_text())["updates"]
    renewed = {(each["package-ecosystem"], folder)
               for each in updates for folder in each.get("directories", [each.get("directory")])}
    assert ("github-actions", "/") in renewed
    for ecosystem, name in ECOSYSTEMS.items():
        for path in ROOT.rglob(name):
            inside = path.relative_to(ROOT)
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
        ("timeout-minutes: 75", "timeout-minute: 75"),
    ],
)
def test_actionlint_finds(actionlint, tmp_path, right, wrong):
    text = (ROOT / ".github/workflows/release.yml").read_text()
    assert right in text
    seeded = tmp_path / "release.yml"
    seeded.write_text(text.replace(right, wrong))
    assert subprocess.run([*actionlint, seeded], capture_output=True).returncode == 1
