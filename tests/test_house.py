"""The house rules, asked of every file: direction of imports, size, documentation, types and style."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from importlinter.cli import lint_imports

ROOT = Path(__file__).parents[1]
MODULES = sorted((ROOT / "studio").rglob("*.py"))
MODULE_CAP_LINES = 300
FUNCTION_CAP_LINES = 40

LONG_MODULES: dict[str, str] = {
    "studio/actions/studio.py": "the facade: one short method for each thing that a door can do",
    "studio/errors.py": "one table of sentences, a few lines for each class",
    "studio/git.py": "the one module that runs git",
}
"""Modules over the cap, each with why it stays whole."""
LONG_FUNCTIONS: dict[str, str] = {}
"""Functions over the cap as `path:name`, likewise."""
TOP_LEVEL = {
    ".ci",
    ".gitignore",
    "CHANGELOG.md",
    "LICENSE",
    "README.md",
    "data",
    "notebooks",
    "prompts",
    "pyproject.toml",
    "requirements.lock",
    "studio",
    "tests",
}
"""What may lie at the top of the repository; a new name needs a line in the README's map first."""
MACHINE_PATH = re.compile(r"/(?:home/(?!user\b|ana\b|me\b|you\b|\.\.\.)\w|Users/\w|work/main|work/shared|tmp/v/)")
"""An absolute path of somebody's machine."""

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def name_of(module: Path) -> str:
    return module.relative_to(ROOT).as_posix()


def definitions(tree: ast.AST, inside: str = "") -> Iterator[tuple[str, Definition]]:
    """All functions and classes with their dotted names, those inside others too."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield inside + node.name, node
            yield from definitions(node, f"{inside}{node.name}.")
        elif not isinstance(node, ast.expr):
            yield from definitions(node, inside)


def parsed(module: Path) -> ast.Module:
    return ast.parse(module.read_text(encoding="utf-8"))


def tracked() -> list[str]:
    """What git keeps of this checkout."""
    told = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if told.returncode or not told.stdout:
        pytest.skip("this copy of the repository is no git checkout")
    return [name for name in told.stdout.split("\0") if name]


def run(*command: str) -> None:
    """Run a checker of this environment on the repository; what it says is the failure."""
    told = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stdout[-4_000:] + told.stderr[-2_000:]


# --- direction ---


def test_imports_go_down_only(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The contracts of pyproject.toml."""
    monkeypatch.chdir(ROOT)
    monkeypatch.syspath_prepend(str(ROOT))
    code = lint_imports(config_filename="pyproject.toml", cache_dir=str(tmp_path), no_cache=False)
    assert code == 0, capsys.readouterr().out


# --- size ---


def test_modules_are_short() -> None:
    lengths = {name_of(module): len(module.read_text(encoding="utf-8").splitlines()) for module in MODULES}
    over = {name: length for name, length in lengths.items() if length > MODULE_CAP_LINES}
    assert {name: length for name, length in over.items() if name not in LONG_MODULES} == {}
    assert LONG_MODULES.keys() <= over.keys(), "a module that is short again needs no excuse"


def test_functions_are_short() -> None:
    over = {
        f"{name_of(module)}:{name}": _length(node)
        for module in MODULES
        for name, node in definitions(parsed(module))
        if not isinstance(node, ast.ClassDef) and _length(node) > FUNCTION_CAP_LINES
    }
    assert {name: length for name, length in over.items() if name not in LONG_FUNCTIONS} == {}
    assert LONG_FUNCTIONS.keys() <= over.keys(), "a function that is short again needs no excuse"


def _length(node: Definition) -> int:
    """Lines of a function's body; its signature and docstring are documentation."""
    first = node.body[1:] if ast.get_docstring(node) else node.body
    return (node.end_lineno or node.lineno) - first[0].lineno + 1 if first else 0


# --- documentation ---


def test_everything_public_says_what_it_is_for() -> None:
    silent = [name_of(module) for module in MODULES if not ast.get_docstring(parsed(module))]
    for module in MODULES:
        for name, node in definitions(parsed(module)):
            private = any(part.startswith("_") for part in name.split("."))
            if not private and not ast.get_docstring(node) and not _inside_function(module, name):
                silent.append(f"{name_of(module)}:{name}")
    assert silent == []


def _inside_function(module: Path, name: str) -> bool:
    """Whether a definition is a detail inside a function."""
    outer = name.rpartition(".")[0]
    return any(
        found == outer and not isinstance(node, ast.ClassDef) for found, node in definitions(parsed(module)) if outer
    )


def test_every_field_of_a_value_says_what_it_holds() -> None:
    silent = [
        f"{name_of(module)}:{name}.{field}"
        for module in MODULES
        for name, node in definitions(parsed(module))
        if isinstance(node, ast.ClassDef) and _is_value(node) and not name.rpartition(".")[2].startswith("_")
        for field in _undocumented(node)
    ]
    assert silent == []


def _is_value(node: ast.ClassDef) -> bool:
    written = [ast.unparse(one) for one in (*node.decorator_list, *node.bases)]
    return any("dataclass" in one or one.endswith("NamedTuple") for one in written)


def _undocumented(node: ast.ClassDef) -> Iterator[str]:
    """Public fields with no string directly below them."""
    for field, below in zip(node.body, [*node.body[1:], None], strict=True):
        if not isinstance(field, ast.AnnAssign) or not isinstance(field.target, ast.Name):
            continue
        documented = (
            isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant) and isinstance(below.value.value, str)
        )
        if not documented and not field.target.id.startswith("_"):
            yield field.target.id


def test_values_are_frozen_with_slots() -> None:
    """What crosses rooms; a private scanner may hold its place."""
    loose = [
        f"{name_of(module)}:{name}"
        for module in MODULES
        if "studio/domain/" in module.as_posix()
        for name, node in definitions(parsed(module))
        for decorator in ([] if name.startswith("_") else node.decorator_list)
        if "dataclass" in ast.unparse(decorator) and not {"frozen=True", "slots=True"} <= _arguments(decorator)
    ]
    assert loose == []


def _arguments(decorator: ast.expr) -> set[str]:
    if not isinstance(decorator, ast.Call):
        return set()
    return {f"{one.arg}={ast.unparse(one.value)}" for one in decorator.keywords}


def test_the_manual_is_there() -> None:
    assert (ROOT / "README.md").read_text(encoding="utf-8").startswith("# ")


# --- the repository ---


def test_nothing_new_lies_at_the_top() -> None:
    assert {name.partition("/")[0] for name in tracked()} - TOP_LEVEL == set()


def test_no_file_names_somebodys_machine() -> None:
    named = []
    for name in tracked():
        path = ROOT / name
        if path.suffix in {".png", ".ico", ".woff2", ".gz"} or path == Path(__file__) or not path.is_file():
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
            if MACHINE_PATH.search(line):
                named.append(f"{name}:{number}: {line.strip()[:100]}")
    assert named == []


# --- style and types ---


@pytest.mark.parametrize("command", [("check",), ("format", "--check")], ids=["check", "format"])
def test_ruff_is_content(command: tuple[str, ...]) -> None:
    run("ruff", *command, "--no-cache", "studio", "tests")


def test_mypy_is_content() -> None:
    """Strict, as pyproject.toml says, on the package and its tests; mypy takes one module of a name at a time."""
    run("mypy", "--exclude", r"tests/\w+/conftest\.py$", "studio", "tests")
    for conftest in sorted((ROOT / "tests").glob("*/conftest.py")):
        run("mypy", str(conftest), "tests/builders.py")
