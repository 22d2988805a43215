"""Policy for the function, and for who may call it; see rules.py."""

import json
import re

from rules import as_list, functions, refers_to, rule
from stack import Stack


@rule("principal")
def _(stack):
    for name, permission in stack.of_type("AWS::Lambda::Permission").items():
        if permission.get("Principal") == "*":
            yield f"{name} lets everybody in"


@rule("concurrency")
def _(stack):
    for name, function in functions(stack):
        # 0 asks for no reservation, in an account whose quota of 10 is a ceiling already.
        asked = stack.values["ReservedConcurrency"] != "0"
        if asked and int(function.get("ReservedConcurrentExecutions") or 0) < 1:
            yield f"{name} has no reserved concurrency, so nothing bounds what a spike costs"


@rule("runtime")
def _(stack):
    for name, function in functions(stack):
        if function.get("Runtime") not in ("provided.al2023", "java25"):
            yield f"{name} runs on {function.get('Runtime')}, not on provided.al2023 or java25"


@rule("snapstart")
def _(stack):
    provisioned = any(
        "ProvisionedConcurrencyConfig" in it for it in stack.of_type("AWS::Lambda::Alias").values()
    )
    for name, function in functions(stack):
        restored = function.get("SnapStart", {}).get("ApplyOn") == "PublishedVersions"
        if restored != str(function.get("Runtime")).startswith("java"):
            yield f"{name}: SnapStart goes with java25, and only with it"
        if restored and provisioned:
            yield f"{name} has SnapStart and provisioned concurrency; Lambda takes one of them"


@rule("memory")
def _(stack):
    # The schema's own maximum is 32768, which is that of Managed Instances.
    for name, function in functions(stack):
        if not 128 <= int(function.get("MemorySize", 128)) <= 10240:
            yield f"{name}: MemorySize {function['MemorySize']} is not from 128 to 10240"
    ceiling = stack.template.get("Parameters", {}).get("MemorySize", {}).get("MaxValue")
    if functions(stack) and (ceiling is None or ceiling > 10240):
        yield "the parameter MemorySize must not go beyond 10240"


@rule("architecture")
def _(stack):
    for name, function in functions(stack):
        chosen = as_list(function.get("Architectures"))
        raw = stack.template["Resources"][name]["Properties"].get("Architectures")
        allowed = stack.template["Parameters"].get("Architecture", {}).get("AllowedValues")
        if raw != [{"Ref": "Architecture"}] or sorted(allowed or []) != ["arm64", "x86_64"]:
            yield f"{name} must take arm64 or x86_64 from the parameter Architecture, not {chosen}"


@rule("gradual")
def _(stack):
    aliases = stack.resources.items()
    for name, alias in [it for it in aliases if it[1]["Type"] == "AWS::Lambda::Alias"]:
        if "CodeDeployLambdaAliasUpdate" not in alias.get("UpdatePolicy", {}):
            yield f"{name} moves to a new version at once"
    for name, group in stack.of_type("AWS::CodeDeploy::DeploymentGroup").items():
        if not group.get("AlarmConfiguration", {}).get("Alarms"):
            yield f"{name} has no alarm to roll back on"
    for name, function in functions(stack):
        if not any(it[1]["Type"] == "AWS::Lambda::Alias" for it in stack.resources.items()):
            yield f"{name} has no alias"


@rule("version")
def _(stack):
    # A version keeps the settings it was published with. A parameter's new value publishes another
    # one only if the version names it.
    for version in stack.of_type("AWS::Lambda::Version"):
        raw = stack.template["Resources"][version]["Properties"]
        function = stack.template["Resources"][raw["FunctionName"]["Ref"]]["Properties"]
        frozen = {k: it for k, it in function.items() if k != "ReservedConcurrentExecutions"}
        used = json.dumps([frozen, conditions_in(stack, frozen)])
        for parameter in stack.template["Parameters"]:
            if refers_to(json.loads(used), parameter) and not refers_to(
                raw.get("Description"), parameter
            ):
                yield f"a new {parameter} publishes no version: VersionDescription must name it"


def conditions_in(stack: Stack, value) -> list:
    names = re.findall(r'"Fn::If": \["(\w+)"', json.dumps(value))
    return [stack.template["Conditions"][it] for it in names]


@rule("tracing")
def _(stack):
    for name, function in functions(stack):
        if function.get("TracingConfig", {}).get("Mode") not in ("Active", "PassThrough"):
            yield f"{name} does not say whether it is traced"
