"""Keeps what SAM's transform makes of template.yaml, and what that says about the function.

The kept files are what local-lambda's tests compare with what it reads from template.yaml itself, so
that the file that is deployed is the file that is tested. They are written by

    ./spillway check-template --update

and test_templates.py fails where they are not what the transform yields today.
"""

import json
import sys
from pathlib import Path

from samcli.lib.intrinsic_resolver.intrinsic_property_resolver import IntrinsicResolver
from samcli.lib.intrinsic_resolver.intrinsics_symbol_table import IntrinsicsSymbolTable

import sam

HERE = Path(__file__).parent / "transformed"

# What users choose. Every one of them is checked by every rule, too.
CHOICES = [
    {},
    {"Variant": "jvm", "Architecture": "x86_64"},
    {"MemorySize": "3538", "Timeout": "11", "MaxCost": "16", "Tracing": "PassThrough"},
    {"ProvisionedConcurrency": "3", "ReservedConcurrency": "120"},
    {"ReservedConcurrency": "0", "Sealing": "no"},
    {
        "SealingSecretArn": "arn:aws:secretsmanager:eu-central-1:000000000000:secret:seal-a1b2c3",
        "SealingVersion": "11111111-2222-3333-4444-555555555555",
    },
    {
        "Variant": "jvm",
        "AlarmTopic": "arn:aws:sns:eu-central-1:000000000000:alarms",
        "Deployment": "AllAtOnce",
    },
]


def settings(template: dict, parameters: dict[str, str]) -> dict:
    """What one stack says about the function, references resolved by SAM CLI."""
    values = {name: it.get("Default") for name, it in template["Parameters"].items()}
    # SAM CLI does not know AWS::NoValue, and leaves an Fn::If alone that may end in it.
    known = values | parameters | {"AWS::NoValue": "nothing"}
    symbols = IntrinsicsSymbolTable(template=template, logical_id_translator=known)
    resolver = IntrinsicResolver(template=template, symbol_resolver=symbols)
    function = resolver.intrinsic_property_resolver(
        template["Resources"]["HashFunction"]["Properties"], ignore_errors=True
    )
    alias = template["Resources"]["HashFunctionAliaslive"]["Properties"]["Name"]
    reserved = function["ReservedConcurrentExecutions"]
    environment = function["Environment"]["Variables"]
    return {
        "parameters": parameters,
        "handler": function["Handler"],
        "memory": int(function["MemorySize"]),
        "timeout": int(function["Timeout"]),
        "reserved": None if reserved == "nothing" else int(reserved),
        "environment": {
            name: str(value) for name, value in environment.items() if value != "nothing"
        },
        "alias": alias,
    }


def yielded() -> dict[str, str]:
    """File name to text."""
    template = sam.transform(sam.read(sam.FUNCTION))
    found = [settings(template, choice) for choice in CHOICES]
    return {
        "template.json": json.dumps(template, indent=2) + "\n",
        "settings.json": json.dumps(found, indent=2) + "\n",
    }


def kept() -> dict[str, str]:
    return {name: (HERE / name).read_text() for name in ("template.json", "settings.json")}


if __name__ == "__main__":
    for name, text in yielded().items():
        (HERE / name).write_text(text)
        print("written:", (HERE / name).relative_to(sam.REPOSITORY), file=sys.stderr)
