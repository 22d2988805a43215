"""Every checker over every template, and every fault of faults.yaml found by the one that must."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

import checkers
import rules
import sam
import transformed

# What has no default; the ARNs are of nobody.
SERVICE = {
    "HostName": "login.example.com",
    "HostedZoneId": "Z0123456789ABC",
    "VpcId": "vpc-1",
    "PublicSubnets": "subnet-1,subnet-2",
    "Subnets": "subnet-1,subnet-2",
    "ImageTag": "1",
    "SpillFunctionArn": "arn:aws:lambda:eu-central-1:000000000000:function:hash:live",
    "SpillCallerPolicyArns": "arn:aws:iam::000000000000:policy/caller",
}
TEMPLATES = {
    sam.FUNCTION: transformed.CHOICES,
    sam.SERVICE: [
        SERVICE,
        SERVICE
        | {
            "CertificateArn": "arn:aws:acm:eu-central-1:000000000000:certificate/1",
            "HostedZoneId": "",
            "Architecture": "x86_64",
            "LambdaEndpoint": "no",
            "DatabaseFailover": "no",
            "AlarmTopic": "arn:aws:sns:eu-central-1:000000000000:alarms",
        },
    ],
}
FAULTS = yaml.safe_load(Path(__file__).with_name("faults.yaml").read_text())


def relative(path: Path) -> str:
    return str(path.relative_to(sam.REPOSITORY))


each_template = pytest.mark.parametrize("template", TEMPLATES, ids=relative)


@each_template
def test_lint(template):
    assert checkers.lint(sam.read(template), template) == []


@each_template
def test_models(template):
    assert checkers.models(sam.read(template)) == []


@each_template
def test_transform(template):
    assert checkers.transform(sam.read(template)) == []


@pytest.mark.parametrize(
    ("template", "choice"),
    [(template, choice) for template, choices in TEMPLATES.items() for choice in choices],
    ids=lambda it: relative(it) if isinstance(it, Path) else None,
)
def test_rules(template, choice):
    assert checkers.policy(sam.read(template), choice) == []


@each_template
def test_sam_validate(template):
    """SAM CLI's own word, with its own linter."""
    run = subprocess.run(
        [Path(sys.executable).with_name("sam"), "validate", "--lint", "--template", template],
        env=os.environ | {"AWS_DEFAULT_REGION": "eu-central-1", "SAM_CLI_TELEMETRY": "0"},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_kept_files_are_what_the_transform_yields():
    assert transformed.kept() == transformed.yielded(), "./spillway check-template --update"


def change(template: dict, fault: dict) -> dict:
    for path, value in fault.get("set", {}).items():
        holder, last = at(template, path)
        holder[last] = value
    for path in fault.get("remove", []):
        holder, last = at(template, path)
        del holder[last]
    return template


def at(template, path: str):
    *way, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    for step in way:
        template = template[step]
    return template, last


@pytest.mark.parametrize("fault", FAULTS, ids=lambda it: it["fault"])
def test_fault_is_found(fault):
    path = sam.REPOSITORY / fault.get("in", "template.yaml")
    template = change(sam.read(path), fault)
    parameters = (SERVICE if path == sam.SERVICE else {}) | fault.get("parameters", {})
    checker = fault["says"].partition(":")[0]
    found = {
        "lint": lambda: checkers.lint(template),
        "models": lambda: checkers.models(template),
        "transform": lambda: checkers.transform(template),
        "rules": lambda: checkers.policy(template, parameters),
    }[checker]()
    assert any(it.startswith(fault["says"]) for it in found), found


def test_every_rule_has_a_fault():
    broken = {it["says"].split(": ")[1] for it in FAULTS if it["says"].startswith("rules: ")}
    assert broken == set(rules.RULES)
