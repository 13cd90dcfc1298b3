"""The page around the places: links, agents, looks, widths."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from app_served import opened, serve
from hostile import HOSTILE
from playwright.sync_api import Page, expect

from studio import Studio, open_studio

Go = Callable[[str], Page]
VIEWS = [
    "",
    "&version=2&layout=unified",
    "&view=whole",
    "&mode=edit",
    "&place=prompt",
    "&place=prompt&mode=review",
    "&place=preview",
]


@pytest.fixture
def drafted(studio: Studio, written: str) -> str:
    """An agent that has something to show in every place."""
    studio.draft_task(written, "Answer tickets.\nBe brief.\n")
    return written


@pytest.mark.parametrize("view", VIEWS)
def test_axe_finds_nothing_serious_in_either_theme(go: Go, drafted: str, axe_script: str, view: str) -> None:
    page = go(f"?agent={drafted}{view}")
    page.evaluate(axe_script)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        serious = [
            (scheme, one["id"], one["nodes"][0]["html"][:200], one["nodes"][0].get("failureSummary", "")[:300])
            for one in found["violations"]
            if one["impact"] in ("serious", "critical")
        ]
        assert not serious


@pytest.mark.parametrize("view", VIEWS)
def test_400_pixels_do_not_scroll_sideways(go: Go, page: Page, drafted: str, view: str) -> None:
    page.set_viewport_size({"width": 400, "height": 800})
    go(f"?agent={drafted}{view}")
    page.wait_for_timeout(200)
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    assert page.evaluate("document.querySelector('main').scrollWidth - document.querySelector('main').clientWidth") <= 0
    if view == "":
        expect(page.locator(".memory table.unified")).to_be_visible()


def test_agents_open_as_a_drawer_on_a_phone(go: Go, page: Page, studio: Studio, drafted: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    go(f"?agent={drafted}")
    other = studio.create_agent("drawer other").id
    expect(page.get_by_label("Find an agent by name")).to_be_hidden()
    page.get_by_role("button", name="Agents").click()
    page.get_by_label("Find an agent by name").fill("drawer other")
    page.get_by_role("link", name="drawer other").click()
    expect(page.get_by_role("heading", name="drawer other", level=1)).to_be_visible()
    expect(page.get_by_label("Find an agent by name")).to_be_hidden()
    expect(page.locator("code", has_text=other)).to_be_visible()


def test_search_finds_agents_and_says_when_none(go: Go, studio: Studio, agent: str) -> None:
    studio.create_agent("zebra finder")
    page = go(f"?agent={agent}")
    box = page.get_by_label("Find an agent by name")
    box.fill("zebra")
    expect(page.get_by_label("Agents").get_by_role("listitem")).to_have_count(1)
    box.fill("no such agent at all")
    page.get_by_role("button", name="Show all agents").click()
    expect(box).to_have_value("")


@pytest.mark.parametrize(
    ("query", "words"),
    [
        pytest.param("?agent=nobody", "There is no agent 'nobody'", id="unknown agent"),
        pytest.param("?agent={agent}&version=99", "There is no version 99", id="unknown version"),
        pytest.param("?agent={agent}&version=1&against=99", "There is no version 99", id="unknown version to compare"),
        pytest.param("?agent={agent}&version=x", "The link names version 'x'", id="no number"),
        pytest.param("?agent={agent}&place=moon", "The link names place 'moon'", id="unknown place"),
        pytest.param("?agent={agent}&author=ghost", "Unknown author 'ghost'", id="unknown author"),
        pytest.param(
            "?agent=%3Cimg src=x onerror=window.hit=1%3E", "<img src=x onerror=window.hit=1>", id="hostile link"
        ),
    ],
)
def test_a_link_that_names_nothing_says_so(go: Go, written: str, query: str, words: str) -> None:
    page = go(query.replace("{agent}", written))
    expect(page.get_by_text(words).first).to_be_visible()
    assert page.evaluate("window.hit") is None


def test_hostile_names_stay_text(go: Go, studio: Studio) -> None:
    agent = studio.create_agent(
        '<img src=x onerror="window.hit=1">', focus=HOSTILE, guild="<script>window.hit=1</script>"
    ).id
    studio.draft_task(agent, HOSTILE)
    studio.publish_task(agent, note='<img src=x onerror="window.hit=1">')
    for query in ("", "&place=prompt", "&place=prompt&version=2", "&place=preview"):
        page = go(f"?agent={agent}{query}")
        expect(page.get_by_role("heading", level=1)).to_have_text('<img src=x onerror="window.hit=1">')
        assert page.evaluate("window.hit") is None
        assert page.locator("img").count() == 0


def test_theme_is_kept(go: Go, page: Page, written: str) -> None:
    go(f"?agent={written}")
    page.get_by_role("button", name="Change between light and dark").click()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.reload()
    page.wait_for_selector("body.ready")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.evaluate("localStorage.clear()")


@pytest.fixture
def empty_store(tmp_path: Path) -> Iterator[Studio]:
    """A store that nobody has written to."""
    with open_studio(tmp_path / "empty.duckdb") as studio:
        yield studio


def test_an_empty_store_says_how_to_begin(page: Page, empty_store: Studio) -> None:
    for url in serve(empty_store, demo=False):
        opened(page, url)
        expect(page.get_by_role("heading", name="No agents yet")).to_be_visible()
        expect(page.get_by_text("studio import git REPO --path CLAUDE.md --agent NAME")).to_be_visible()
        expect(page.get_by_text("Demo organisation.")).to_have_count(0)


def test_a_store_that_lacks_changes_says_so_above_every_page(page: Page, tmp_path: Path) -> None:
    file, older = tmp_path / "team.duckdb", tmp_path / "older.duckdb"
    with open_studio(file) as studio:
        studio.create_agent("scout")
    shutil.copy(file, older)
    with open_studio(file) as studio:
        studio.save_memory("scout", "acknowledged\n", force=True)
    shutil.copy(older, file)
    with open_studio(file) as studio:
        for url in serve(studio, demo=False):
            opened(page, url)
            expect(page.get_by_role("alert").filter(has_text="Changes are missing.")).to_contain_text(
                "1 acknowledged change is missing: the store opened at change "
            )


def test_the_demo_says_so(page: Page, empty_store: Studio) -> None:
    empty_store.create_agent("someone")
    for url in serve(empty_store, demo=True):
        opened(page, url)
        expect(page.get_by_text("Demo organisation.")).to_be_visible()
