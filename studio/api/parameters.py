"""Parameters of a query: what each may be, and how it is read."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from studio.api.problems import Problem

Schema = dict[str, Any]
"""A JSON Schema."""
MANY_CAP = 100
"""How often a parameter may be given that may be given more than once."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a query."""

    name: str
    """Its name."""
    schema: Schema
    """What it may be: a string, an integer or a boolean."""
    description: str
    """What it is for."""
    required: bool = False
    """Whether it must be there."""

    @property
    def many(self) -> bool:
        """Whether it may be given more than once."""
        return self.schema.get("type") == "array"

    def read(self, given: str) -> str | int | bool:
        """The value of what was given, of one of its values where there may be many.

        Raises:
            Problem: it is not what the schema says.
        """
        kind = "string" if self.many else self.schema.get("type", "string")
        if kind == "integer":
            low, high = self.schema.get("minimum", 0), self.schema["maximum"]
            if not (given.isascii() and given.isdigit() and len(given) <= len(str(high)) and low <= int(given) <= high):
                raise Problem(400, f"{self.name} must be a whole number from {low} to {high}.")
            return int(given)
        if kind == "boolean":
            if given not in ("true", "false"):
                raise Problem(400, f"{self.name} must be true or false.")
            return given == "true"
        if "enum" in self.schema and given not in self.schema["enum"]:
            raise Problem(400, f"{self.name} must be one of {', '.join(self.schema['enum'])}.")
        if len(given) < self.schema.get("minLength", 0):
            raise Problem(400, f"{self.name} must not be empty.")
        return given


def integer(name: str, description: str, *, minimum: int = 1, maximum: int = 2_000_000_000) -> Parameter:
    """A whole number in a query."""
    return Parameter(name, {"type": "integer", "minimum": minimum, "maximum": maximum}, description)


def words(name: str, description: str, *, required: bool = False) -> Parameter:
    """A text in a query."""
    schema: Schema = {"type": "string", "minLength": 1} if required else {"type": "string"}
    return Parameter(name, schema, description, required=required)


def many(name: str, description: str) -> Parameter:
    """A text that may be given more than once in a query."""
    return Parameter(name, {"type": "array", "items": {"type": "string"}, "maxItems": MANY_CAP}, description)


def choice(name: str, description: str, values: type[StrEnum], *, required: bool = False) -> Parameter:
    """One of a few words in a query."""
    return Parameter(name, {"type": "string", "enum": [str(one) for one in values]}, description, required)


def flag(name: str, description: str) -> Parameter:
    """Yes or no in a query."""
    return Parameter(name, {"type": "boolean"}, description)
