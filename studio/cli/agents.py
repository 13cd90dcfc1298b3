"""`studio agents`: who there is and what operators set on them."""

from pathlib import Path
from typing import Annotated

import typer

from studio.actions.studio import Studio
from studio.cli.directory_hooks import tell_begun
from studio.cli.inputs import Switch, is_on, read_json_text
from studio.cli.output import note, visible, write_json, write_line, write_table
from studio.cli.session import AgentArgument, Session, command, noun
from studio.domain.agent_file import parse_json
from studio.domain.agents import DEFAULT_MAX_TOOL_CALLS, Agent, AgentConfig, AgentSummary, Layout
from studio.domain.embeds import EmbedState
from studio.domain.records import Record
from studio.domain.settings import KEEP_ALL_REVISIONS, AgentSettings
from studio.render.wire import summary_record
from studio.render.wire_notes import broken_link_record, rights_record

app = noun("Agents and what is set on them.")

FocusOption = Annotated[
    str | None,
    typer.Option("--focus", metavar="TEXT", help="What it is for; a new agent's first Task.", show_default=False),
]
GuildOption = Annotated[
    str | None, typer.Option("--guild", metavar="GUILD", help="Name or id of its guild.", show_default=False)
]


@command(app, "list", example="studio agents list --search billing")
def list_agents(
    session: Session,
    search: Annotated[
        str, typer.Option("--search", metavar="WORDS", help="Only agents whose name, id, focus or guild holds them.")
    ] = "",
) -> None:
    """List the agents by guild and name."""
    with session.open() as studio:
        found = studio.list_agents(search)
    if session.json:
        write_json([summary_record(one) for one in found])
        return
    if not found:
        note(
            "No agent has these words."
            if search
            else "No agents yet; 'studio agents create' or 'studio import' makes the first, and 'studio serve' shows a demo."
        )
        return
    write_table(("NAME", "ID", "GUILD", "MEMORY", "CHARACTERS", "TASK", ""), [_row(one) for one in found])


def _row(one: AgentSummary) -> tuple[str, ...]:
    """One line of the table."""
    agent = one.agent
    version = "none" if one.memory_version is None else f"version {one.memory_version}"
    remarks = ["memory directory"] if agent.layout is Layout.DIRECTORY else []
    if not agent.config.memory:
        remarks.append("memory off")
    if one.has_draft:
        remarks.append("draft waits")
    if one.broken_links:
        remarks.append(_broken(one.broken_links))
    if one.over_budget:
        remarks.append(f"{one.over_budget} embed{'' if one.over_budget == 1 else 's'} over the budget")
    size = f"{one.memory_characters:,}"
    return (
        agent.name,
        agent.id,
        agent.guild_name or "",
        version,
        size,
        f"version {one.task_version}",
        ", ".join(remarks),
    )


@command(app, "create", example='studio agents create scout --focus "Watch the harbour." --guild Harbour', begins=True)
def create_agent(
    session: Session,
    *,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Its name, one line.", show_default=False)],
    focus: FocusOption = None,
    guild: GuildOption = None,
    no_memory: Annotated[bool, typer.Option("--no-memory", help="Compose no Memory section.")] = False,
    no_memory_write: Annotated[
        bool, typer.Option("--no-memory-write", help="Do not offer memory_write: only operators write its memory.")
    ] = False,
    max_tool_calls: Annotated[
        int, typer.Option("--max-tool-calls", metavar="N", help="How many tool calls a run may make.")
    ] = DEFAULT_MAX_TOOL_CALLS,
    directory: Annotated[
        str | None,
        typer.Option(
            "--directory",
            metavar="REPO",
            help="Its memory is this git repository, begun from the template where there is none.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Make an agent with an empty memory, or one that remembers in a directory. A guild of a new name is made with it."""
    config = AgentConfig(not no_memory, not no_memory_write, max_tool_calls)
    folder = None if directory is None else str(Path(directory).absolute())
    with session.open() as studio:
        begun = None if folder is None else studio.directories.begin(folder)
        agent = studio.create_agent(name, focus=focus, guild=guild, config=config)
        if folder is not None:
            from studio.cli.directory_whose import link_noting  # noqa: PLC0415 - what reads repositories loads with them

            link_noting(studio, folder, agent.id)
            agent = studio.get_agent(agent.id)
        _answer(session, studio, agent, f"Created {agent.name} ({agent.id}).")
    if begun is not None:
        tell_begun(begun, as_json=session.json)


@command(app, "show", example="studio agents show scout")
def show_agent(session: Session, agent: AgentArgument) -> None:
    """Show one agent. These are its settings, what it may use, and how its memory and Task stand."""
    with session.open() as studio:
        found = studio.get_agent(agent)
        if session.json:
            write_json(_whole_record(studio, found))
            return
        summary, rights = _summary(studio, found), studio.get_rights(found.id)
        broken, directory = studio.list_broken_links(found.id), _directory(studio, found)
    memory = "none" if summary.memory_version is None else f"version {summary.memory_version}"
    kept = "all" if found.retention is None else str(found.retention)
    facts = [
        ("Name", found.name),
        ("Id", found.id),
        ("Guild", found.guild_name or "none"),
        ("Focus", found.focus or "none"),
        ("Memory", f"{memory}, {summary.memory_characters:,} characters, {_on(found.config.memory)}"),
        ("memory_write", _on(found.config.memory_write)) if directory is None else ("Directory", directory),
        ("Task", f"version {summary.task_version}" + (", a draft waits" if summary.has_draft else "")),
        ("Tool calls", f"at most {found.config.max_tool_calls}"),
        ("Revisions kept" if directory is None else "Task revisions kept", kept),
        ("Tools", ", ".join(rights.tools) or "none"),
        ("Reads notes of", ", ".join(rights.readable)),
        ("Writes notes of", ", ".join(rights.writable)),
        ("Created", f"{found.created_at:%Y-%m-%d %H:%M:%S} UTC"),
    ]
    if found.source is not None:
        facts.append(("Imported from", found.source.label))
        if found.source.restarted_at:
            facts.append(("Numbers anew since", f"{found.source.restarted_at:%Y-%m-%d %H:%M:%S} UTC"))
    names = {EmbedState.BROKEN: "Broken link", EmbedState.OVER_BUDGET: "Over the budget"}
    facts += [(names[one.state], f"{one.written}: {one.reason}") for one in broken]
    write_table(("SETTING", "VALUE"), facts)


@command(app, "set", example="studio agents set scout --memory-write off")
def set_agent(
    session: Session,
    agent: AgentArgument,
    memory: Annotated[
        Switch | None, typer.Option("--memory", help="Whether the Memory section is composed.", show_default=False)
    ] = None,
    memory_write: Annotated[
        Switch | None, typer.Option("--memory-write", help="Whether memory_write is offered.", show_default=False)
    ] = None,
    max_tool_calls: Annotated[
        int | None,
        typer.Option("--max-tool-calls", metavar="N", help="How many tool calls a run may make.", show_default=False),
    ] = None,
    name: Annotated[str | None, typer.Option("--name", metavar="NAME", help="A new name.", show_default=False)] = None,
    focus: Annotated[
        str | None,
        typer.Option("--focus", metavar="TEXT", help="What it is for; empty removes it.", show_default=False),
    ] = None,
    guild: Annotated[
        str | None,
        typer.Option("--guild", metavar="GUILD", help="Another guild; empty leaves its guild.", show_default=False),
    ] = None,
    retention: Annotated[
        str | None,
        typer.Option(
            "--retention", metavar="N|all", help="Revisions to keep of memory and Task each.", show_default=False
        ),
    ] = None,
    from_file: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="JSON that sets what has no option: tools, collections, bindings and more; - reads standard input.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Change what is set on an agent. What is not named stays.

    The form of the JSON file stands in the manual; everything that is wrong with it is said at once, and then nothing is set.
    """
    settings = AgentSettings(
        name, focus, guild, is_on(memory), is_on(memory_write), max_tool_calls, _retention(retention)
    )
    if settings == AgentSettings() and from_file is None:
        raise typer.BadParameter("name at least one setting to change", param_hint="options")
    if settings != AgentSettings() and from_file is not None:
        raise typer.BadParameter("give --from or other settings, not both", param_hint="options")
    data = None if from_file is None else parse_json(read_json_text(from_file))
    with session.open() as studio:
        changed = (
            studio.configure_agent(agent, settings) if from_file is None else studio.configure_agent_from(agent, data)
        )
        _answer(session, studio, changed, f"Set {changed.name} ({changed.id}).")


def _answer(session: Session, studio: Studio, agent: Agent, sentence: str) -> None:
    """The agent as it is now."""
    if session.json:
        write_json(summary_record(_summary(studio, agent)))
    else:
        write_line(visible(sentence))


def _whole_record(studio: Studio, agent: Agent) -> Record:
    """The agent's record with its `directory`, what it may use, and the embeds that do not come through under `broken`."""
    broken = [broken_link_record(one) for one in studio.list_broken_links(agent.id)]
    own = summary_record(_summary(studio, agent)) | {"directory": _directory(studio, agent)}
    return own | rights_record(studio.get_rights(agent.id)) | {"broken": broken}


def _directory(studio: Studio, agent: Agent) -> str | None:
    """The path of the repository that is an agent's memory; None where that is in the store."""
    return next((one.path for one in studio.directories.links() if one.agent == agent.id), None)


def _summary(studio: Studio, agent: Agent) -> AgentSummary:
    """The agent as the list shows it."""
    return next(one for one in studio.list_agents(agent.id) if one.agent.id == agent.id)


def _broken(links: int) -> str:
    return f"{links} broken link{'' if links == 1 else 's'}"


def _on(setting: bool) -> str:  # noqa: FBT001
    return "on" if setting else "off"


def _retention(setting: str | None) -> int | str | None:
    """A number of revisions, or `all`."""
    if setting is None or setting == KEEP_ALL_REVISIONS:
        return setting
    try:
        return int(setting)
    except ValueError:
        raise typer.BadParameter(
            f"{setting!r} is neither a number nor '{KEEP_ALL_REVISIONS}'", param_hint="'--retention'"
        ) from None
