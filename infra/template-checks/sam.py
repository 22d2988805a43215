"""Reads templates, and puts SAM's own transform over them, as CloudFormation does at a deployment."""

import copy
import logging
from functools import cache
from pathlib import Path

import boto3
from samtranslator.parser.parser import Parser
from samtranslator.translator.translator import Translator
from samtranslator.yaml_helper import yaml_parse

REPOSITORY = Path(__file__).resolve().parents[2]
FUNCTION = REPOSITORY / "template.yaml"
SERVICE = REPOSITORY / "infra/auth-service.yaml"

# The translator says on every run that a feature toggle of AWS's own is not to be had here.
logging.getLogger("samtranslator").setLevel(logging.ERROR)


@cache
def _parsed(path: Path) -> dict:
    return yaml_parse(path.read_text())


def read(path: Path) -> dict:
    """The template, !Ref and the like written out; a copy that may be changed."""
    return copy.deepcopy(_parsed(path))


def transform(template: dict, parameters: dict[str, str] | None = None) -> dict:
    """What CloudFormation makes of the template; itself where it is no SAM template."""
    if "Transform" not in template:
        return template
    template = copy.deepcopy(template)
    for resource in template["Resources"].values():
        properties = resource.get("Properties", {})
        if resource["Type"] == "AWS::Serverless::Function" and isinstance(
            properties.get("CodeUri"), str
        ):
            # What "sam package" does after the upload.
            properties["CodeUri"] = "s3://package/" + properties["CodeUri"]
    session = boto3.Session(region_name="eu-central-1")
    return Translator({}, Parser(), boto_session=session).translate(template, parameters or {})
