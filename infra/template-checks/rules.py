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


# ---- who may call ----


@rule("url-auth")
def _(stack):
    for name, url in stack.of_type("AWS::Lambda::Url").items():
        if url.get("AuthType") != "AWS_IAM":
            yield f"{name} is open to everybody: AuthType must be AWS_IAM"


@rule("url-permissions")
def _(stack):
    permissions = stack.of_type("AWS::Lambda::Permission").values()
    for name, _ in stack.of_type("AWS::Lambda::Url").items():
        by_url = [
            it
            for it in permissions
            if it.get("Action") == "lambda:InvokeFunctionUrl"
            and it.get("FunctionUrlAuthType") == "AWS_IAM"
        ]
        invoke = [
            it
            for it in permissions
            if it.get("Action") == "lambda:InvokeFunction"
            and it.get("InvokedViaFunctionUrl") is True
        ]
        if not by_url:
            yield f"{name} lacks the permission lambda:InvokeFunctionUrl for AWS_IAM"
        if not invoke:
            yield f"{name} lacks the permission lambda:InvokeFunction with InvokedViaFunctionUrl"
        if "lambda:InvokeFunctionUrl" not in json.dumps(stack.of_type("AWS::IAM::ManagedPolicy")):
            yield f"{name}: the caller's policy does not cover it"


@rule("principal")
def _(stack):
    for name, permission in stack.of_type("AWS::Lambda::Permission").items():
        if permission.get("Principal") == "*":
            yield f"{name} lets everybody in"


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


# ---- the function ----


@rule("concurrency")
def _(stack):
    for name, function in functions(stack):
        if int(function.get("ReservedConcurrentExecutions") or 0) < 1:
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


# ---- what is written down where ----


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


@rule("tracing")
def _(stack):
    for name, function in functions(stack):
        if function.get("TracingConfig", {}).get("Mode") not in ("Active", "PassThrough"):
            yield f"{name} does not say whether it is traced"


SECRET = re.compile(r"secret|passw|credential|(private|api|access).?key|token$", re.I)
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
            yield f"the parameter {name} is shown to whoever may look at the stack"
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
            text = output["Value"]["Fn::Sub"] if isinstance(output["Value"], dict) else output["Value"]
            for line in text.splitlines():
                key = line.partition("=")[0]
                if re.sub(r"(targets)\.[\w-]+\.", r"\1.NAME.", key) not in documented:
                    yield f"{name}: {key} is no key of docs/configuration.md"
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
