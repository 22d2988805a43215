"""infra/compose: read by a parser of the Compose specification that is not ours, and held to our rules."""

import json
import os
import re
import shutil
import subprocess
from copy import deepcopy
from pathlib import Path

import compose_spec
import pytest
import yaml

FOLDER = Path(__file__).parents[1] / "compose"
TEXT = (FOLDER / "compose.yaml").read_text()
COMPOSE = yaml.safe_load(TEXT)
# It is given Docker itself: nothing here could confine it.
UNCONFINED = {"localstack"}
LOCAL = "local-only"
# What ./spillway image builds.
OURS = "spillway:dev"


def parse(text):
    """The file as Compose would have it; ValueError where the specification knows no such thing."""
    options = compose_spec.PyOptions()
    options.apply_merge = True
    return options.from_yaml(text)


def faults(compose):
    services = compose["services"]
    for name, service in services.items():
        image = service.get("image", "")
        if image != OURS and not re.fullmatch(r"[\w./-]+:v?\d+\.\d+[\w.-]*", image):
            yield f"{name}: the image {image} is not pinned"
        if "healthcheck" not in service:
            yield f"{name} has no healthcheck"
        for port in service.get("ports", []):
            if not str(port).startswith("127.0.0.1:"):
                yield f"{name}: {port} is open to the network"
        for key, value in service.get("environment", {}).items():
            if re.search("PASSWORD|SECRET_|ACCESS_KEY|TOKEN$", key) and value != LOCAL:
                yield f"{name}: {key} looks like a secret, or should say {LOCAL}"
        if name in UNCONFINED:
            continue
        if service.get("read_only") is not True or service.get("cap_drop") != ["ALL"]:
            yield f"{name} could change its own files, or keeps capabilities"
        if service.get("user", "0").split(":")[0] in ("0", "root"):
            yield f"{name} runs as root"
        if any("docker.sock" in str(volume) for volume in service.get("volumes", [])):
            yield f"{name} is given Docker"
    auth = services["auth-service"]
    for key, value in auth["environment"].items():
        if key.endswith("_ENDPOINT") and value.startswith("http://"):
            if "127.0.0.1" not in value or auth.get("network_mode") != "service:localstack":
                yield f"auth-service: {value} is not LocalStack on loopback"
    for name, service in services.items():
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            # What is built is not there on a clean checkout.
            if source.startswith(".") and "/target/" not in source and not (FOLDER / source).exists():
                yield f"{name}: there is no {source}"


def test_specification_knows_all_of_it():
    assert sorted(parse(TEXT).service_names()) == sorted(COMPOSE["services"])


@pytest.mark.parametrize(
    "right, wrong",
    [
        ("stop_grace_period: 15s", "stop_grace_period: soon"),
        ("127.0.0.1:3000:3000", "127.0.0.1:3000:many"),
        ("read_only: true", "read_only: mostly"),
        ("condition: service_healthy", "condition: service_happy"),
        ("restart: unless-stopped", "restart: unless-it-rains"),
        ("retries: 12", "retrys: 12"),
    ],
)
def test_specification_refuses(right, wrong):
    assert right in TEXT
    with pytest.raises(ValueError):
        parse(TEXT.replace(right, wrong))


def test_no_fault():
    assert not list(faults(COMPOSE))


@pytest.mark.parametrize(
    "service, change, said",
    [
        ("grafana", {"image": "grafana/grafana:latest"}, "not pinned"),
        ("grafana", {"image": "grafana/grafana"}, "not pinned"),
        ("postgres", {"ports": ["5432:5432"]}, "open to the network"),
        ("postgres", {"environment": {"POSTGRES_PASSWORD": "hunter2"}}, "looks like a secret"),
        ("prometheus", {"user": "root"}, "runs as root"),
        ("prometheus", {"read_only": False}, "change its own files"),
        ("prometheus", {"volumes": ["/var/run/docker.sock:/s"]}, "given Docker"),
        ("prometheus", {"volumes": ["./nothing.yml:/s"]}, "there is no ./nothing.yml"),
        ("auth-service", {"network_mode": "bridge"}, "not LocalStack on loopback"),
    ],
)
def test_fault_is_found(service, change, said):
    compose = deepcopy(COMPOSE)
    compose["services"][service].update(change)
    assert any(said in each for each in faults(compose))


def test_missing_healthcheck_is_found():
    compose = deepcopy(COMPOSE)
    del compose["services"]["postgres"]["healthcheck"]
    assert list(faults(compose)) == ["postgres has no healthcheck"]


def test_init_script_can_be_run():
    script = FOLDER / "deploy-function.sh"
    assert os.access(script, os.X_OK)
    subprocess.run(["sh", "-n", script], check=True)


def test_grafana_finds_what_is_mounted():
    folder = FOLDER / "grafana/provisioning"
    [provider] = yaml.safe_load((folder / "dashboards/spillway.yml").read_text())["providers"]
    mounts = [volume.split(":") for volume in COMPOSE["services"]["grafana"]["volumes"]]
    [dashboard] = [source for source, target, _ in mounts
                   if target.startswith(provider["options"]["path"] + "/")]
    [source] = yaml.safe_load((folder / "datasources/prometheus.yml").read_text())["datasources"]
    variables = json.loads((FOLDER / dashboard).read_text())["templating"]["list"]
    assert source["type"] in [each["query"] for each in variables if each["type"] == "datasource"]
    assert source["url"] == "http://prometheus:9090"


@pytest.fixture
def promtool():
    found = shutil.which("promtool")
    if not found:
        if os.environ.get("SPILLWAY_PROGRAMS") == "required":
            pytest.fail("no promtool in the PATH")
        pytest.skip("no promtool in the PATH (Debian: prometheus)")
    return found


@pytest.mark.parametrize("right, wrong", [("", ""), ("scrape_timeout: 4s", "scrape_timeout: 6s"), ("static_", "statick_")])
def test_prometheus_takes_its_configuration(promtool, tmp_path, right, wrong):
    config = tmp_path / "prometheus.yml"
    config.write_text((FOLDER / "prometheus.yml").read_text().replace(right, wrong))
    assert (subprocess.run([promtool, "check", "config", config]).returncode == 0) is (right == wrong)
