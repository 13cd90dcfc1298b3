"""Where templates come from, and what a missing or unreadable one says."""

from pathlib import Path

import pytest

from studio.errors import NoTemplate, NothingToRead, NotText
from studio.sources.templates import Templates, find_templates


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The package folder of a source checkout; its prompts lie beside it."""
    (tmp_path / "prompts").mkdir()
    return tmp_path / "studio"


def test_an_explicit_folder_comes_first(checkout: Path) -> None:
    assert find_templates(Path("given"), {"STUDIO_PROMPTS": "/named"}, checkout).folder == Path("given")


def test_then_the_environment(checkout: Path) -> None:
    assert find_templates(None, {"STUDIO_PROMPTS": "/named"}, checkout).folder == Path("/named")


@pytest.mark.parametrize("environment", [{}, {"STUDIO_PROMPTS": ""}], ids=["unset", "empty"])
def test_then_the_checkout(checkout: Path, environment: dict[str, str]) -> None:
    assert find_templates(None, environment, checkout).folder == checkout.parent / "prompts"


def test_an_installed_package_uses_its_own_copy_and_no_neighbour(tmp_path: Path) -> None:
    (tmp_path / "prompts").mkdir()
    copy = tmp_path / "studio" / "_packaged" / "prompts"
    copy.mkdir(parents=True)
    assert find_templates(None, {}, tmp_path / "studio").folder == copy


def test_a_checkout_without_its_prompts_is_not_helped_out(tmp_path: Path) -> None:
    with pytest.raises(NoTemplate):
        find_templates(None, {}, tmp_path / "studio").system()


def test_this_repository_has_both_templates() -> None:
    templates = find_templates(None, {})
    assert "Task" in templates.system()
    assert "Task" in templates.task()


def test_system_message_12_a_template_put_back_is_read_again_without_a_restart(tmp_path: Path) -> None:
    templates = Templates(tmp_path)
    with pytest.raises(NoTemplate, match=r"system\.md is missing"):
        templates.system()
    (tmp_path / "system.md").write_bytes("é\r\n".encode())
    assert templates.system() == "é\r\n"
    (tmp_path / "system.md").write_bytes(b"new")
    assert templates.system() == "new"


def test_a_named_folder_that_is_not_there_is_named_in_the_sentence(tmp_path: Path) -> None:
    with pytest.raises(NoTemplate, match="nowhere"):
        Templates(tmp_path / "nowhere").task()


def test_a_template_that_is_not_utf8_says_where(tmp_path: Path) -> None:
    (tmp_path / "task.md").write_bytes(b"caf\xe9")
    with pytest.raises(NotText, match="byte 3"):
        Templates(tmp_path).task()


def test_a_folder_in_the_template_s_place_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "system.md").mkdir()
    with pytest.raises(NothingToRead, match=r"Cannot read .*system\.md"):
        Templates(tmp_path).system()
