"""Policy for what infra/auth-service.yaml makes; see rules.py."""

import json
import re

from rules import documented_keys, rule


def containers(stack):
    for name, task in stack.of_type("AWS::ECS::TaskDefinition").items():
        for container in task["ContainerDefinitions"]:
            yield f"{name}.{container['Name']}", container


@rule("container")
def _(stack):
    for name, container in containers(stack):
        if container.get("User") in (None, "0", "root"):
            yield f"{name} runs as root"
        if container.get("ReadonlyRootFilesystem") is not True:
            yield f"{name} can write to its own image"
        if container.get("LogConfiguration", {}).get("Options", {}).get("mode") != "non-blocking":
            yield f"{name} stands still when its log cannot be delivered"


@rule("environment")
def _(stack):
    known = {re.sub(r"[^A-Z0-9]", "_", key.upper()) for key in documented_keys()}
    for name, container in containers(stack):
        for variable in container.get("Environment", []) + container.get("Secrets", []):
            key = variable["Name"].replace("_TARGETS_MAIN_", "_TARGETS_NAME_")
            if key.startswith("SPILLWAY_") and key not in known:
                yield f"{name}: {variable['Name']} is no key of docs/configuration.md"


@rule("database")
def _(stack):
    for name, cluster in stack.of_type("AWS::RDS::DBCluster").items():
        if cluster.get("StorageEncrypted") is not True:
            yield f"{name} is not encrypted"
        for policy in ("DeletionPolicy", "UpdateReplacePolicy"):
            if stack.resources[name].get(policy) not in ("Snapshot", "Retain"):
                yield f"{name} takes every user with it: {policy} must keep a snapshot"
        if "ManageMasterUserPassword" in cluster:
            yield f"{name} changes its password every week, under tasks that read it at the start"
    for name, instance in stack.of_type("AWS::RDS::DBInstance").items():
        if instance.get("PubliclyAccessible") is not False:
            yield f"{name} can be reached from everywhere"


@rule("ingress")
def _(stack):
    for name, group in stack.of_type("AWS::EC2::SecurityGroup").items():
        for let_in in group.get("SecurityGroupIngress", []):
            world = let_in.get("CidrIp") == "0.0.0.0/0" or let_in.get("CidrIpv6") == "::/0"
            if world and (let_in.get("FromPort"), let_in.get("ToPort")) != (443, 443):
                yield f"{name} lets the world in on {let_in.get('FromPort')}"


@rule("tls")
def _(stack):
    for name, listener in stack.of_type("AWS::ElasticLoadBalancingV2::Listener").items():
        if listener.get("Protocol") != "HTTPS":
            yield f"{name} takes passwords in the clear"
        if "TLS13" not in str(listener.get("SslPolicy")):
            yield f"{name} does not speak TLS 1.3"


@rule("inside")
def _(stack):
    closed = [
        value
        for it in stack.of_type("AWS::ElasticLoadBalancingV2::ListenerRule").values()
        if it["Actions"][0]["Type"] == "fixed-response"
        for condition in it["Conditions"]
        for value in condition["PathPatternConfig"]["Values"]
    ]
    for name in stack.of_type("AWS::ElasticLoadBalancingV2::Listener"):
        if "/q/*" not in closed:
            yield f"{name} shows the metrics to everybody"


@rule("scaling")
def _(stack):
    alarms = stack.of_type("AWS::CloudWatch::Alarm")
    policies = stack.of_type("AWS::ApplicationAutoScaling::ScalingPolicy")
    for target in stack.of_type("AWS::ApplicationAutoScaling::ScalableTarget"):
        growing = [
            alarm
            for policy in policies
            for alarm in alarms.values()
            if {"Ref": policy} in alarm.get("AlarmActions", []) and "GreaterThan" in alarm["ComparisonOperator"]
        ]
        for metric in ("spillway.hashing.count", "spillway.pool.wait.sum"):
            if metric not in json.dumps(growing):
                yield f"{target} does not grow by {metric}"
    used = {it for it in policies if any({"Ref": it} in a.get("AlarmActions", []) for a in alarms.values())}
    for policy in policies.keys() - used:
        yield f"{policy} is started by no alarm"


@rule("endpoint")
def _(stack):
    wanted = stack.values.get("LambdaEndpoint") == "yes"
    made = [
        it for it in stack.of_type("AWS::EC2::VPCEndpoint").values() if it["PrivateDnsEnabled"] is True
    ]
    if wanted and not made:
        yield "spilled passwords leave the VPC"
    for it in made:
        if "lambda:*" in json.dumps(it.get("PolicyDocument", "lambda:*")):
            yield "the endpoint serves every call of Lambda's"
