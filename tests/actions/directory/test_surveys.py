"""A survey of a memory directory: all of one commit, read once, and what an edit would be told (decisions 32 to 35)."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from builders import blank_store
from directory_repository import INDEX, MemoryRepository, note

from studio import Studio, git
from studio.errors import BadArgument, BlockRefused, NoDirectory, NotFound

FILES = {**INDEX, "human.md": note("Lead with the answer.\n", "human"), "skills/release/SKILL.md": note(name="release")}


@pytest.fixture
def studio() -> Iterator[Studio]:
    with blank_store() as opened:
        yield opened


@pytest.fixture
def repository(tmp_path: Path) -> MemoryRepository:
    return MemoryRepository.make(tmp_path / "memory", FILES)


@pytest.fixture
def agent(studio: Studio, repository: MemoryRepository) -> str:
    made = studio.create_agent("keeper").id
    studio.directories.link(str(repository.folder), made)
    return made


def test_a_survey_tells_all_of_a_commit(studio: Studio, repository: MemoryRepository, agent: str) -> None:
    survey = studio.directories.survey(agent)
    assert survey.at_head
    assert survey.contents.commit == repository.head()
    assert [block.name for block in survey.contents.compiled.blocks] == ["human", "memory"]
    assert [skill.name for skill in survey.contents.skills] == ["release"]
    assert survey.contents.gauges == studio.directories.get(agent).gauges
    assert survey.contents.findings == studio.directories.findings(agent)


def test_a_commit_is_read_once(
    studio: Studio, repository: MemoryRepository, agent: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, advice = studio.directories.survey(agent), studio.directories.advise(agent)
    monkeypatch.delattr(git, "blobs")  # nothing is read any more
    assert studio.directories.survey(agent, "HEAD").contents is first.contents
    assert studio.directories.advise(agent, repository.head()) is advice


def test_a_new_commit_is_seen_and_the_old_one_stays(studio: Studio, repository: MemoryRepository, agent: str) -> None:
    old = studio.directories.survey(agent)
    live = old.contents.file("human.md")
    assert live is not None
    assert live.body is not None
    studio.directories.edit(agent, "human.md", note("Answer first.\n", "human"), "Shorter", expect=live.body.sha256)
    assert studio.directories.survey(agent).contents.commit == repository.head() != old.contents.commit
    again = studio.directories.survey(agent, old.contents.commit)
    assert again.contents == old.contents
    assert not again.at_head


def test_there_is_none_of_an_artifact_or_an_unknown_commit(studio: Studio, agent: str) -> None:
    with pytest.raises(NoDirectory):
        studio.directories.survey(studio.create_agent("artifact").id)
    with pytest.raises(NotFound, match="no commit 'nothing'"):
        studio.directories.survey(agent, "nothing")


SECRET = "ghp_" + "a1B2c3D4e5" * 3 + "a1B2c3"
EDITS = [
    pytest.param("human.md", note("x" * 20_001, "human"), ["file_too_long"], id="too long"),
    pytest.param("human.md", "no header\n", ["fm_missing"], id="no header"),
    pytest.param("human.md", note(f"Use {SECRET}.\n", "human"), ["secret"], id="a secret"),
    pytest.param("ops/pager.md", note(name="pager"), ["dir_index_missing"], id="a folder without an index"),
    pytest.param("MEMORY.md", None, ["root_index_missing"], id="the index deleted"),
    pytest.param("skills/flat.md", note(name="flat"), ["flat_skill"], id="a flat skill"),
]


@pytest.mark.parametrize(("path", "text", "kinds"), EDITS)
def test_an_edit_is_told_beforehand_what_would_refuse_it(
    studio: Studio, agent: str, path: str, text: str | None, kinds: list[str]
) -> None:
    judged = studio.directories.judge(agent, path, text)
    refusing = [one for one in judged.findings if one.kind in kinds]
    assert [one.kind for one in refusing] == kinds
    with pytest.raises(BlockRefused) as refused:
        studio.directories.edit(agent, path, text, "Try", force=True)
    assert refused.value.findings == tuple(one.message for one in refusing)


def test_an_edit_that_would_pass_is_advised(studio: Studio, agent: str) -> None:
    judged = studio.directories.judge(agent, "human.md", note("NEVER guess.\n", "human"))
    assert {"all_caps"} <= {one.kind for one in judged.findings}
    assert all(one.line == 5 for one in judged.findings)


def test_an_index_is_advised_on_its_entries_while_it_is_written(
    studio: Studio, repository: MemoryRepository, agent: str
) -> None:
    repository.write("main", {**FILES, "ops/MEMORY.md": "# Ops\n"})
    judged = studio.directories.judge(agent, "MEMORY.md", "# Index\n\n- stuff/ — deployments and rollbacks\n")
    assert {one.kind for one in judged.findings} == {
        "entry_names_nothing",
        "directory_not_named",
        "index_without_questions",
    }


@pytest.mark.parametrize("path", ["notes.txt", "../x.md", "people"])
def test_a_path_that_no_edit_may_name_is_refused_beforehand_too(studio: Studio, agent: str, path: str) -> None:
    with pytest.raises(BadArgument):
        studio.directories.judge(agent, path, "words")


def test_what_is_older_than_the_edit_is_told_apart(studio: Studio, repository: MemoryRepository, agent: str) -> None:
    repository.write("main", {**FILES, "broken.md": "no header\n"})
    judged = studio.directories.judge(agent, "human.md", note("Answer first.\n", "human"))
    assert [one.path for one in judged.findings if one in judged.older] == ["broken.md"]
