"""checkov on the templates: each finding is mended, or its resource says why it is not."""

import os
import shutil
import subprocess

import pytest

import sam

TEMPLATES = [sam.FUNCTION, sam.REPOSITORY / "infra/auth-service.yaml"]


@pytest.fixture
def checkov():
    """Has libraries of other versions than the tools here, so .ci/run gives it a folder of its own."""
    found = os.environ.get("SPILLWAY_CHECKOV") or shutil.which("checkov")
    if not found:
        pytest.skip("no checkov in the PATH")
    return found


def findings(checkov, path):
    run = subprocess.run(
        [checkov, "-f", path, "--framework", "cloudformation", "--compact", "--quiet"],
        env=os.environ | {"LOG_LEVEL": "ERROR"},
        capture_output=True,
        text=True,
    )
    assert "Passed checks" in run.stdout or run.returncode == 0, run.stdout + run.stderr
    return run.stdout if run.returncode else ""


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_finding_is_mended_or_argued(checkov, path):
    assert findings(checkov, path) == ""


def test_finding_is_found(checkov, tmp_path):
    seeded = tmp_path / "template.yaml"
    text = sam.FUNCTION.read_text()
    seeded.write_text("".join(line for line in text.splitlines(True) if "skip=CKV_AWS_149" not in line))
    assert "CKV_AWS_149" in findings(checkov, seeded)
