"""A template as one stack would have it: parameters, conditions and mappings resolved."""

import re
from dataclasses import dataclass, field

NOTHING = {"Ref": "AWS::NoValue"}
PSEUDO = {
    "AWS::Region": "eu-central-1",
    "AWS::AccountId": "000000000000",
    "AWS::Partition": "aws",
    "AWS::URLSuffix": "amazonaws.com",
    "AWS::StackName": "local",
}


@dataclass
class Stack:
    """References to resources stay as they are; what a condition leaves out is gone."""

    template: dict
    given: dict[str, str] = field(default_factory=dict)

    def __post_init__(self):
        declared = self.template.get("Parameters", {})
        unknown = self.given.keys() - declared.keys()
        if unknown:
            raise ValueError(f"the template has no parameter {unknown}")
        self.values = PSEUDO | {
            name: str(self.given.get(name, it.get("Default", f"<{name}>")))
            for name, it in declared.items()
        }
        self.resources = {
            name: self.resolve(resource)
            for name, resource in self.template["Resources"].items()
            if "Condition" not in resource or self.holds(resource["Condition"])
        }
        self.outputs = {
            name: self.resolve(output)
            for name, output in self.template.get("Outputs", {}).items()
            if "Condition" not in output or self.holds(output["Condition"])
        }

    def of_type(self, kind: str) -> dict[str, dict]:
        """Logical id to properties."""
        return {
            name: it.get("Properties", {})
            for name, it in self.resources.items()
            if it["Type"] == kind
        }

    def holds(self, condition: str) -> bool:
        return self._true(self.template["Conditions"][condition])

    def _true(self, condition: dict) -> bool:
        ((name, argument),) = condition.items()
        match name:
            case "Condition":
                return self.holds(argument)
            case "Fn::Equals":
                one, other = (str(self.resolve(it)) for it in argument)
                return one == other
            case "Fn::Not":
                return not self._true(argument[0])
            case "Fn::And":
                return all(self._true(it) for it in argument)
            case "Fn::Or":
                return any(self._true(it) for it in argument)
        raise ValueError(f"{name} makes no condition")

    def resolve(self, value):
        match value:
            case {"Ref": name} if len(value) == 1:
                return self.values.get(name, value)
            case {"Fn::If": [condition, then, otherwise]}:
                return self.resolve(then if self.holds(condition) else otherwise)
            case {"Fn::FindInMap": path}:
                at = self.template["Mappings"]
                for step in path:
                    at = at[self.resolve(step)]
                return at
            case {"Fn::Sub": str(text)}:
                return self._substitute(text, {})
            case {"Fn::Sub": [text, names]}:
                return self._substitute(text, {k: str(self.resolve(it)) for k, it in names.items()})
            case dict():
                resolved = {key: self.resolve(it) for key, it in value.items()}
                return {key: it for key, it in resolved.items() if it != NOTHING}
            case list():
                return [it for it in map(self.resolve, value) if it != NOTHING]
        return value

    def _substitute(self, text: str, names: dict[str, str]) -> str:
        known = self.values | names
        return re.sub(r"\$\{([\w:]+)}", lambda it: known.get(it[1], it[0]), text)
