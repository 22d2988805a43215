"""The four that judge a template: cfn-lint, SAM's strict models, SAM's transform, our rules.

Each returns what it minds as "checker: what", nothing where it minds nothing.
"""

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from samtranslator.compat import pydantic
from samtranslator.internal.schema_source import aws_serverless_function as function_model
from samtranslator.model.exceptions import InvalidDocumentException

import function_rules  # noqa: F401, its rules register themselves
import rules
import sam
import service_rules  # noqa: F401, likewise
from stack import Stack

# Where AWS has everything, and where it has what most regions have.
REGIONS = ["us-east-1", "eu-central-1"]


def lint(template: dict, file: Path | None = None) -> list[str]:
    """The source, and what the transform makes of it: values that do not exist show only there.

    The file itself, where there is one: what is wrong with its YAML is not in the template any more.
    """
    found = _lint_file(file) if file else _lint(template)
    if "Transform" in template:
        try:
            # The transform puts a parameter's value in where SAM has to know it: then it is unused.
            found += _lint(sam.transform(template), "--ignore-checks", "W2001")
        except InvalidDocumentException:
            pass  # the transform says so itself
    return found


def _lint(template: dict, *options: str) -> list[str]:
    with TemporaryDirectory() as directory:
        file = Path(directory, "template.json")
        file.write_text(json.dumps(template))
        return _lint_file(file, *options)


def _lint_file(file: Path, *options: str) -> list[str]:
    program = Path(sys.executable).with_name("cfn-lint")
    command = [program, "--format", "json", "--template", file, "--regions", *REGIONS, *options]
    run = subprocess.run(command, capture_output=True, text=True)
    try:
        found = json.loads(run.stdout)
    except json.JSONDecodeError as e:
        raise RuntimeError(f"cfn-lint did not run: {run.stderr}") from e
    return [f"lint: {it['Rule']['Id']} {it['Message']} {it['Location']['Path']}" for it in found]


def models(template: dict) -> list[str]:
    """Finds what the linter overlooks and the transform drops: unknown names inside properties."""
    found = []
    for name, resource in template["Resources"].items():
        if resource["Type"] == "AWS::Serverless::Function":
            try:
                function_model.Resource.parse_obj(resource)
            except pydantic.ValidationError as e:
                for error in e.errors():
                    place = ".".join(str(it) for it in (name, *error["loc"]))
                    found.append(f"models: {place} {error['msg']}")
    return found


def transform(template: dict) -> list[str]:
    try:
        sam.transform(template)
    except InvalidDocumentException as e:
        return [f"transform: {cause.message}" for cause in e.causes]
    return []


def policy(template: dict, parameters: dict[str, str]) -> list[str]:
    try:
        transformed = sam.transform(template, parameters)
    except InvalidDocumentException:
        return []  # the transform says so itself
    return [f"rules: {it}" for it in rules.findings(Stack(transformed, parameters))]
