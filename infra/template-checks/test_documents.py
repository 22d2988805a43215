"""Every link of a document leads somewhere in the repository, to a heading where it names one."""

import re
import subprocess

import sam

ROOT = sam.REPOSITORY
LINK = re.compile(r"\]\(([^)\s]+)\)")
FENCED = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)


def tracked():
    names = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in names.splitlines() if (ROOT / name).exists()]


def anchors(path):
    """Of each heading, as GitHub makes them."""
    text = FENCED.sub("", path.read_text())
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken(path):
    for link in LINK.findall(FENCED.sub("", path.read_text())):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (path.parent / name).resolve() if name else path
        if not target.exists() or (anchor and anchor not in anchors(target)):
            yield f"{path.relative_to(ROOT)}: {link}"


def test_links_lead_somewhere():
    paths = tracked()
    assert len(paths) > 10
    assert [each for path in paths for each in broken(path)] == []
