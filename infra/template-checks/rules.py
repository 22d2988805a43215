"""Policy: what a linter does not know, because it is about us. Each rule yields what it minds.

Rules see the template after SAM's transform, as one stack would have it. faults.yaml has a template
for every rule that breaks it.
"""

import json
import re
from collections.abc import Callable, Iterator

import cfnlint.data.AdditionalSpecs
from cfnlint.helpers import load_resource

import sam
from stack import Stack

RULES: dict[str, Callable[[Stack], Iterator[str]]] = {}

# AWS's own list of actions and of the resources they can be limited to, as cfn-lint ships it.
ACTIONS = load_resource(cfnlint.data.AdditionalSpecs, "Policies.json")


def rule(name: str):
    def register(check):
        RULES[name] = check
        return check

    return register


def findings(stack: Stack) -> list[str]:
    return [f"{name}: {what}" for name, check in RULES.items() for what in check(stack)]


def functions(stack: Stack):
    return stack.of_type("AWS::Lambda::Function").items()


def refers_to(value, logical_id: str) -> bool:
    """Whether the resource is meant by Ref, GetAtt or Sub."""
    text = json.dumps(value)
    return (
        json.dumps({"Ref": logical_id}) in text
        or re.search(r'"Fn::GetAtt": \["%s"' % logical_id, text) is not None
        or re.search(r"\$\{%s[.}]" % logical_id, text) is not None
    )


def statements(stack: Stack) -> Iterator[tuple[str, dict]]:
    for name, resource in stack.resources.items():
        properties = resource.get("Properties", {})
        documents = [it["PolicyDocument"] for it in properties.get("Policies", []) if it]
        if resource["Type"] in ("AWS::IAM::ManagedPolicy", "AWS::IAM::Policy"):
            documents.append(properties["PolicyDocument"])
        for document in documents:
            for statement in document["Statement"]:
                yield name, statement


def as_list(value) -> list:
    return value if isinstance(value, list) else [value]


@rule("least-privilege")
def _(stack):
    for name, statement in statements(stack):
        for action in as_list(statement["Action"]):
            service, _, verb = action.partition(":")
            known = ACTIONS.get(service, {}).get("Actions", {}).get(verb.lower())
            if "*" in action:
                yield f"{name} allows {action}: name each action"
            elif known is None:
                yield f"{name} allows {action}, which does not exist"
            elif (
                "*" in as_list(statement["Resource"])
                and known.get("Resources")
                and "Condition" not in statement
            ):
                yield f"{name} allows {action} on everything: it can be limited to a resource"
    for name, permission in stack.of_type("AWS::Lambda::Permission").items():
        action = str(permission.get("Action"))
        if action.removeprefix("lambda:").lower() not in ACTIONS["lambda"]["Actions"]:
            yield f"{name} allows {action}, which does not exist"


@rule("log")
def _(stack):
    groups = stack.of_type("AWS::Logs::LogGroup")
    for name, group in groups.items():
        if not group.get("RetentionInDays"):
            yield f"{name} is kept for ever: set RetentionInDays"
    for name, function in functions(stack):
        config = function.get("LoggingConfig", {})
        if config.get("LogGroup", {}).get("Ref") not in groups:
            yield f"{name} logs to a group that this template does not keep"
        if config.get("SystemLogLevel") != "WARN" or config.get("LogFormat") != "JSON":
            yield f"{name} must log as JSON, and of the system's lines only warnings"


SECRET = re.compile(r"secret|sealing.keys|passw|credential|(private|api|access).?key|token$", re.I)
LOOKS_SECRET = re.compile(
    r"AKIA[0-9A-Z]{16}|-----BEGIN|password=|\$2[abxy]\$\d\d\$|eyJ[\w-]{10,}\.eyJ", re.I
)


def plain(value) -> bool:
    return isinstance(value, str) and value != "" and not value.startswith("{{resolve:")


@rule("secret")
def _(stack):
    for name, function in functions(stack):
        for key, value in function.get("Environment", {}).get("Variables", {}).items():
            if SECRET.search(key) and not key.endswith("_ARN") and plain(value):
                yield f"{name}: {key} stands in the environment in plain text"
    for name, task in stack.of_type("AWS::ECS::TaskDefinition").items():
        for container in task["ContainerDefinitions"]:
            for variable in container.get("Environment", []):
                if SECRET.search(variable["Name"]) and plain(variable["Value"]):
                    yield f"{name}: {variable['Name']} must be taken from Secrets Manager"
    for name, parameter in stack.template.get("Parameters", {}).items():
        if SECRET.search(name) and not name.endswith("Arn") and not parameter.get("NoEcho"):
            yield f"the parameter {name} is visible to everybody who may read the stack"
        if SECRET.search(name) and plain(parameter.get("Default")):
            yield f"the parameter {name} has a default"
    for found in LOOKS_SECRET.findall(json.dumps(stack.resources) + json.dumps(stack.outputs)):
        yield f"something that looks like a secret: {found}..."


KEYS = re.compile(r"`(spillway\.[\w.-]+|\.[\w.-]+)`")


def documented_keys() -> set[str]:
    """Those of docs/configuration.md; `.b` after `x.a` in a row means `x.b`."""
    keys, stem = set(), ""
    for line in (sam.REPOSITORY / "docs/configuration.md").read_text().splitlines():
        for key in KEYS.findall(line) if line.startswith("| `spillway.") else []:
            stem = key.rpartition(".")[0] if not key.startswith(".") else stem
            keys.add(stem + key if key.startswith(".") else key)
    return keys


@rule("configuration")
def _(stack):
    documented = documented_keys()
    for name, output in stack.outputs.items():
        if name.endswith("Configuration"):
            for line in output["Value"].splitlines():
                key = line.partition("=")[0]
                if re.sub(r"(targets)\.[\w-]+\.", r"\1.NAME.", key) not in documented:
                    yield f"{name}: {key} is no key of docs/configuration.md"
    bound = re.search(r"max-outstanding=(\d+)", stack.outputs.get("Configuration", {}).get("Value", ""))
    for name, function in functions(stack):
        reserved = function.get("ReservedConcurrentExecutions", 10)
        if bound and int(bound[1]) > int(reserved):
            yield f"the service would call {name} {bound[1]} times at once, which takes {reserved}"
    if functions(stack) and "Configuration" not in stack.outputs:
        yield "no output says how the auth-service is configured"


@rule("alarms")
def _(stack):
    page = (sam.REPOSITORY / "docs/operations.md").read_text()
    for name, alarm in stack.of_type("AWS::CloudWatch::Alarm").items():
        if f"`{name}`" not in page:
            yield f"{name}: docs/operations.md does not say what to do about it"
        if "TreatMissingData" not in alarm or "AlarmDescription" not in alarm:
            yield f"{name} must say what it means, and what silence means"
