"""The sentences we say when something is refused.

One family tree: `StudioError` and five families. A family decides the exit code, the HTTP status and the tools' `ERROR:` line;
a class below it writes its own sentence from typed arguments and says what, which, and what to do.
"""

import shlex
from collections.abc import Sequence
from typing import ClassVar


class StudioError(Exception):
    """Something the caller can understand and mend. `str(error)` is one sentence fit for a person."""

    kind: ClassVar[str] = "error"
    """The family's name as doors spell it (`not_found`, `refused`, `stale`, `busy`, `damaged`)."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class NotFound(StudioError):
    """What was named does not exist."""

    kind = "not_found"


class Refused(StudioError):
    """The request breaks a limit, a format or a rule; nothing was changed."""

    kind = "refused"


class Stale(StudioError):
    """The text changed since the caller read it (decision 37); nothing was changed."""

    kind = "stale"


class Busy(StudioError):
    """Another process holds what is needed; trying later can work."""

    kind = "busy"


class Damaged(StudioError):
    """A file of ours cannot be read as what it claims to be."""

    kind = "damaged"


class StudioWarning(UserWarning):
    """Something the caller should know although the work was done."""


def _or_list(names: Sequence[str], most: int = 8) -> str:
    """Names for a sentence: all of them, or the first few and how many more."""
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


# --- not found ---------------------------------------------------------------------------------------------------------------


class UnknownAgent(NotFound):
    """No agent has this id or name."""

    def __init__(self, name: str, near: Sequence[str] = ()) -> None:
        meant = f"did you mean {_or_list(near)}? " if near else ""
        super().__init__(f"There is no agent {name!r}; {meant}'studio agents list' shows those there are.")


class UnknownVersion(NotFound):
    """The text has no such version, or it was pruned (decision 11)."""

    def __init__(self, what: str, number: int, oldest: int, newest: int) -> None:
        kept = (
            f"versions {oldest} to {newest} are kept" if oldest < newest else f"version {newest} is the only one kept"
        )
        if newest == 0:
            kept = "it has none yet"
        super().__init__(f"There is no version {number} of {what}; {kept}.")


class UnknownAuthor(NotFound):
    """No version is by the author that a filter names."""

    def __init__(self, author: str, known: Sequence[str]) -> None:
        has = f"it has {_or_list(known)}" if known else "no author is recorded there"
        super().__init__(f"No version of this text is by {author!r}; {has}.")


class UnknownPath(NotFound):
    """A display path that names nothing this caller can resolve."""

    def __init__(self, path: str) -> None:
        super().__init__(
            f"Unknown path {path!r}: it names nothing here; paths look like org/<org_id>/notes/<name>.md for a note and"
            " org/<org_id>/agents/<agent_id>/memory.md for a prompt file."
        )


class UnknownFile(NotFound):
    """A memory directory has no such file at a commit, or one whose text is no memory."""

    def __init__(self, path: str, commit: str, *, there: bool) -> None:
        why = (
            f"{path!r} at {commit} is neither Markdown nor the config, so its text is not given"
            if there
            else f"There is no file {path!r} in the directory at {commit}"
        )
        super().__init__(
            f"{why}; the list of its files names those there are, and the list of its changes those there were."
        )


class UnknownGuild(NotFound):
    """No guild has this id or name."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"There is no guild {name!r}; 'studio agents create NAME --guild GUILD' makes one with its first agent."
        )


class UnknownRun(NotFound):
    """No run has this id, or none of the agent that is to be its own."""

    def __init__(self, run: str, agent: str | None = None) -> None:
        of_agent = "" if agent is None else f" of {agent}"
        super().__init__(
            f"There is no run {run!r}{of_agent}; 'studio run list {agent or 'AGENT'}' shows those there are."
        )


class NoSuchStep(NotFound):
    """A version has no call to open: no run wrote it, or its run keeps no row that holds the call."""

    def __init__(self, agent: str, version: int, why: str) -> None:
        super().__init__(f"Version {version} of the memory of {agent} has no step to open: {why}.")


class NoDraft(NotFound):
    """The agent's Task has no draft."""

    def __init__(self, agent: str) -> None:
        super().__init__(f"{agent} has no Task draft; 'studio task draft AGENT FILE' keeps one.")


class UnknownLogin(NotFound):
    """No login has this name."""

    def __init__(self, name: str, known: Sequence[str]) -> None:
        has = f"there are {_or_list(known)}" if known else "there is none yet"
        super().__init__(f"There is no login {name!r}; {has}.")


class UnknownCollection(NotFound):
    """No collection that the caller can use has this path or name."""

    def __init__(self, name: str, known: Sequence[str]) -> None:
        has = f"there are {_or_list(known)}" if known else "there is none"
        super().__init__(f"There is no collection {name!r} here; {has}.")


class UnknownRecord(NotFound):
    """A record was to be changed that its collection does not have."""

    def __init__(self, record: str, collection: str) -> None:
        super().__init__(f"There is no record {record!r} in {collection}; leave the expected sha256 out to make it.")


class NoDirectory(NotFound):
    """The agent's memory is an artifact, and what was asked for is about a memory directory."""

    def __init__(self, agent: str) -> None:
        super().__init__(
            f"The memory of {agent} is no directory; link one with 'studio dir link REPO --agent {agent}'."
        )


class UnknownOrg(NotFound):
    """No organisation has this id."""

    def __init__(self, org: str) -> None:
        super().__init__(f"There is no organisation {org!r} in this store.")


class NothingToRead(NotFound):
    """A file or folder that a command was given is not there."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(f"Cannot read {path}: {why}.")


class NoStore(NotFound):
    """A store was to be read that nobody made."""

    def __init__(self, path: str, near: Sequence[str] = ()) -> None:
        meant = f"; did you mean {_or_list(near)}?" if near else "."
        super().__init__(
            f"There is no store at {path}{meant} 'studio agents create' or 'studio import' makes one, and 'studio serve' shows a demo."
        )


class UnknownToken(NotFound):
    """No token has this name."""

    def __init__(self, name: str, known: Sequence[str]) -> None:
        has = f"there are {_or_list(known)}" if known else "there is none yet"
        super().__init__(f"There is no token {name!r}; {has}.")


class NoTemplate(NotFound):
    """A prompt template is missing; agents stay visible but nothing can be composed."""

    def __init__(self, path: str) -> None:
        super().__init__(f"The prompt template {path} is missing; put it back, then try again (no restart is needed).")


# --- refused -----------------------------------------------------------------------------------------------------------------


class MemoryTooLong(Refused):
    """`memory_write` over its cap; the sentence is fixed by decision 6."""

    def __init__(self, cap_characters: int) -> None:
        super().__init__(f"memory exceeds {cap_characters} characters")


class BadArgument(Refused):
    """A tool was called with arguments that it does not take."""


class UnusableText(Refused):
    """A text that no write takes: it holds NUL or a lone surrogate (decision 5)."""

    def __init__(self, what: str, holds: str, line: int) -> None:
        super().__init__(f"{what} holds {holds} in line {line}, so nothing was written; remove it and save again.")


class NotText(Refused):
    """A file given as text that is not UTF-8."""

    def __init__(self, path: str, offset_bytes: int) -> None:
        super().__init__(f"{path} is not UTF-8 text (byte {offset_bytes}); convert it first.")


class BadAuthorFilter(Refused):
    """An author filter that is not a kind or `kind:name` (decision 3)."""

    def __init__(self, text: str) -> None:
        super().__init__(
            f"Unknown author {text!r}: use run, operator, agent or unknown, or a kind and a name as in operator:Ana."
        )


class AmbiguousAgent(Refused):
    """Several agents share this name."""

    def __init__(self, name: str, ids: Sequence[str]) -> None:
        super().__init__(f"{len(ids)} agents are named {name!r}; use one of the ids {_or_list(ids)}.")


class BadName(Refused):
    """A name that cannot be one line of a prompt."""


class BadSetting(Refused):
    """An agent setting outside its range."""


class Unconfirmed(Refused):
    """A text that deserves a question goes live only when an operator says that it is meant (decision 39)."""

    def __init__(self, what: str, asked: Sequence[tuple[str, str, Sequence[int]]]) -> None:
        """Take what was asked and not answered.

        Args:
            what: names the text, as `The Task of scout`.
            asked: the word that answers each question, its sentence, and the lines it is about.
        """
        self.questions = tuple(
            {"word": word, "sentence": sentence, "lines": list(lines)} for word, sentence, lines in asked
        )
        self.words = tuple(word for word, _, _ in asked)
        super().__init__(
            f"{what} was not written: {' '.join(sentence for _, sentence, _ in asked)} Mend it, or say that it is meant:"
            f" --yes-to {','.join(self.words)} (Studio-Confirm over REST, yes_to in Python)."
        )


class UnknownQuestion(Refused):
    """A word that answers no question (decision 39)."""

    def __init__(self, word: str, known: Sequence[str]) -> None:
        super().__init__(f"There is no question {word!r} to say yes to; there are {', '.join(known)}.")


class NothingCame(Refused):
    """Standard input or a pipe brought nothing, which more often is a failed command than an empty text."""

    def __init__(self, what: str, *, confirms: bool) -> None:
        way = "if it is meant to be empty, say --yes-to empty or name an empty file" if confirms else "name a file"
        super().__init__(f"{what} was empty, so nothing was written; {way}.")


class NoMemoryWrite(Refused):
    """`memory_write` is not offered to this agent (decisions 9 and 10)."""

    def __init__(self, agent: str, why: str) -> None:
        super().__init__(f"memory_write is not offered to {agent}: {why}.")


class PathTaken(Refused):
    """A note or collection is to be made where one is."""

    def __init__(self, what: str, path: str) -> None:
        super().__init__(f"There is already a {what} at {path}; edit that one or name another path.")


class NotANote(Refused):
    """A note action on one of the two prompt files: they are never notes."""

    def __init__(self, path: str, *, task: bool) -> None:
        says = (
            "a Task, not a note: agents never write it, and operators edit it with 'studio task draft'"
            if task
            else "a memory, not a note: its agent rewrites it with memory_write, operators with 'studio memory save'"
        )
        super().__init__(f"{path} is {says}.")


class NotGranted(Refused):
    """An agent asked for a note level or a collection that it has no right to."""

    def __init__(self, agent: str, verb: str, what: str, why: str) -> None:
        super().__init__(f"{agent} may not {verb} {what}; {why}.")


class OperatorsOnly(Refused):
    """An agent asked for what only operators do."""

    def __init__(self, agent: str, what: str) -> None:
        super().__init__(f"{agent} may not {what}; only an operator does.")


class AmbiguousCollection(Refused):
    """Several collections share this name."""

    def __init__(self, name: str, paths: Sequence[str]) -> None:
        super().__init__(f"{len(paths)} collections are named {name!r}; use one of the paths {_or_list(paths)}.")


class NoteEmbedded(Refused):
    """A note that live Tasks embed cannot be deleted or moved (decision 25)."""

    def __init__(self, path: str, verb: str, agents: Sequence[str]) -> None:
        super().__init__(
            f"{path} cannot be {verb}: the live Task of {_or_list(agents)} embeds it; take the embed out of the Task first."
        )


class UnknownColumns(Refused):
    """A record names columns that its collection does not have."""

    def __init__(self, collection: str, unknown: Sequence[str], columns: Sequence[str]) -> None:
        names = ", ".join(repr(name) for name in unknown)
        has = ", ".join(columns) if columns else "none"
        super().__init__(f"The collection {collection} has no column {names}; its columns are {has}.")


class BadAgentFile(Refused):
    """A file for `agents set --from` that breaks its format; carries every finding at once."""

    def __init__(self, findings: Sequence[str]) -> None:
        super().__init__(f"Nothing was set, {len(findings)} to mend: {'; '.join(findings)}.")
        self.findings = tuple(findings)


class DirectoryMemory(Refused):
    """A write of the whole memory of an agent whose memory is a directory (decision 1)."""

    def __init__(self, agent: str, verb: str, path: str) -> None:
        super().__init__(
            f"The memory of {agent} is a directory and cannot be {verb} as a whole;"
            f" edit a file with 'studio dir edit {shlex.quote(agent)} PATH', or commit to {path}."
        )


class BlockRefused(Refused):
    """An edit that the directory's hook would refuse; carries every finding at once (decision 34)."""

    def __init__(self, path: str, findings: Sequence[str], *, all_older_in: str | None = None) -> None:
        """With the way out where no finding is the edit's own.

        Args:
            path: the file.
            findings: a sentence for each.
            all_older_in: the repository, where all of them are older than the edit.
        """
        self.findings = tuple(findings)
        self.way_out = (
            None
            if all_older_in is None
            else "Nothing of that is new: the hook refuses every commit until all that is wrong is mended in one commit;"
            f" where that takes more than one file, make it with git in {all_older_in}."
        )
        told = f"{path} was not committed, {len(findings)} to mend: {' '.join(findings)}"
        super().__init__(told if self.way_out is None else f"{told} {self.way_out}")


class Uncommitted(Refused):
    """An edit of a file that its owner is working on, or of a repository in the middle of something."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(f"{path} was not committed: {why}; commit or undo that first, then edit again.")


class EditedThere(Refused):
    """An edit from elsewhere that would leave another working tree behind, or commit what git would have converted."""

    def __init__(self, path: str, why: str, where: str) -> None:
        super().__init__(f"{path} was not committed from here: {why}; edit and commit it in {where}.")


class MigrationRefused(Refused):
    """A directory that cannot be migrated as it is; carries every reason at once."""

    def __init__(self, repository: str, reasons: Sequence[str]) -> None:
        super().__init__(f"{repository} was not migrated: {' '.join(reasons)}")
        self.reasons = tuple(reasons)


class RunOver(Refused):
    """A run that has ended takes no more rows and carries no more calls out."""

    def __init__(self, run: str, status: str) -> None:
        super().__init__(f"The run {run} is {status}; it takes no more rows or calls.")


class BadModel(Refused):
    """A model that cannot be used as it was named: an unknown provider, a missing key or package, an unreadable script."""


class ModelFailed(Refused):
    """A model did not answer; the run that asked it has failed."""


class ImportRefused(Refused):
    """An import that would mix sources or go over a live text (issue: imports; decisions 11 and 16)."""


class SignedOut(Refused):
    """Who signed in may no longer come in: the token was revoked, or nobody signed in at all."""

    def __init__(self, name: str | None = None) -> None:
        super().__init__(
            "Sign in first."
            if name is None
            else f"The token {name!r} lets nobody in any more; sign in with another one to go on."
        )


class ViewersRead(Refused):
    """Somebody who signed in with a viewer's token wanted to change something."""

    def __init__(self, name: str) -> None:
        super().__init__(f"Nothing was changed: {name} is a viewer, who reads only; an operator's token may write.")


class StoreReadOnly(Refused):
    """Something was to be written into a store that can only be read."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(
            f"Nothing was changed: the store {path} can only be read, since {why}; copy it with 'studio backup' to where you may write,"
            " or see to its permissions."
        )


class NobodySignsIn(Refused):
    """A server is to be reached from other machines, or by another name, and there is no token to sign in with."""

    def __init__(self, where: str) -> None:
        super().__init__(
            f"Whoever reaches {where} must sign in, and no operator has a token yet; make one with"
            " 'studio token create NAME --role operator', then serve again. Put a TLS proxy before it."
        )


class BadHost(Refused):
    """A server was told a name of its own that no browser ever asks for it by."""

    def __init__(self, given: str, meant: str | None) -> None:
        instead = "the name as browsers send it, as in --host studio.example.com"
        super().__init__(
            f"--host takes a name alone, without a scheme, port or path, so {given!r} would let nobody in; write"
            f" {instead if meant is None else f'--host {meant}'}."
        )


class TokenTaken(Refused):
    """A token is to be made under a name that has one."""

    def __init__(self, name: str) -> None:
        super().__init__(f"There is already a token {name!r}; revoke it first or name the new one otherwise.")


class SecretShown(Refused):
    """A repeat of a request whose answer held a secret."""

    def __init__(self, key: str) -> None:
        super().__init__(
            f"The request with the key {key!r} was carried out; its secret was in the first answer and is stored nowhere:"
            " revoke the token and make another."
        )


class NotEmpty(Refused):
    """The demo was to go into a store that holds something."""

    def __init__(self, path: str) -> None:
        super().__init__(f"The store {path} is not empty; the demo goes into a new one only.")


class KeyReused(Refused):
    """A key that names one write was sent with another."""

    def __init__(self, key: str) -> None:
        super().__init__(f"The key {key!r} was used for another request already; send this one under a key of its own.")


class FileTaken(Refused):
    """A new file is to be made where one is."""

    def __init__(self, path: str) -> None:
        super().__init__(f"There is already a file at {path}, and nothing is written over it; name another.")


class StoreInMemory(Refused):
    """A store that lives in a process only was to be copied."""

    def __init__(self) -> None:
        super().__init__("A store in memory has no file to copy; open one with a file.")


class NotAHistory(Refused):
    """An input that holds no history we can read."""


class CannotWrite(Refused):
    """The place a command's result goes to does not take it."""

    def __init__(self, why: str) -> None:
        super().__init__(f"Standard output did not take the result: {why}.")


class ServesOneMachine(Refused):
    """A page was asked for from another machine, or under another name, of a server without a sign-in page."""

    def __init__(self, named: str) -> None:
        super().__init__(
            f"Without sign-in this server answers 127.0.0.1 and localhost only, not {named!r};"
            " 'studio serve --address' and '--host' serve others, who then sign in."
        )


class UnknownLintRule(Refused):
    """What is to be switched off is no rule of the lint."""

    def __init__(self, name: str, known: Sequence[str]) -> None:
        super().__init__(f"The lint has no rule {name!r}; it has {', '.join(known)}.")


class DirectoryThere(Refused):
    """A memory directory is to be begun where files of its template are already."""

    def __init__(self, folder: str, names: Sequence[str]) -> None:
        super().__init__(
            f"{folder} has {_or_list(names)} already, so nothing was begun there; name an empty folder, or move them away."
        )


class FolderInUse(Refused):
    """A memory directory is to be begun in a folder that holds something and is no repository."""

    def __init__(self, folder: str) -> None:
        super().__init__(
            f"{folder} is not empty and no repository, so nothing was begun there; name an empty folder, or run 'git init' there"
            " first if what is in it is to lie beside the memory."
        )


class InAnotherRepository(Refused):
    """A memory directory is to be begun inside of a repository that would take it for its own files."""

    def __init__(self, folder: str, around: str) -> None:
        super().__init__(
            f"{folder} lies in the repository {around}, which does not ignore it, so nothing was begun there; add the folder to"
            " the .gitignore there, or name one elsewhere."
        )


class NotForMemory(Refused):
    """A memory directory is to be begun in a repository of something else; carries every finding at once."""

    def __init__(self, repository: str, findings: Sequence[str], most: int = 3) -> None:
        more = f" And {len(findings) - most} more." if len(findings) > most else ""
        super().__init__(
            f"Nothing was begun in {repository}: its hook would refuse each commit, {len(findings)} to mend:"
            f" {' '.join(findings[:most])}{more} Name an empty folder, or mend that first."
        )
        self.findings = tuple(findings)


class HookInTheWay(Refused):
    """A pre-commit hook of another program stands where ours would go."""

    def __init__(self, path: str, what_to_do: str) -> None:
        super().__init__(f"Another program's pre-commit hook is at {path}; {what_to_do}.")


class CannotMake(Refused):
    """A file or a folder that was asked for cannot be made there."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(f"{path} cannot be written ({why}); see who may write there, or name another place.")


class HooksOutside(Refused):
    """`core.hooksPath` leads outside of the repository, so our hook would run in every repository that looks there."""

    def __init__(self, folder: str) -> None:
        super().__init__(
            f"core.hooksPath leads outside of this repository, to {folder}, so the check would run in every repository that looks"
            " there; give this one a folder of its own with 'git config core.hooksPath .git/hooks', or confirm it:"
            " 'studio dir init' and 'studio dir hook install' take --yes-to hooks-outside."
        )


# --- stale -------------------------------------------------------------------------------------------------------------------


class TextChanged(Stale):
    """A write over a text that changed since it was read; carries what a door needs to offer a way on."""

    def __init__(self, what: str, version: int, author: str, live_sha256: str) -> None:
        super().__init__(
            f"{what} changed since you read it: version {version} by {author} is live now; "
            f"compare with it, then save again with its sha256 {live_sha256} or force the save."
        )
        self.version = version
        self.live_sha256 = live_sha256


class UnprovenSave(Stale):
    """A save that does not say which text it was based on (decision 37, concurrency-05)."""

    def __init__(self, what: str, live_sha256: str) -> None:
        super().__init__(
            f"This save does not say which {what} it was based on; give its sha256, at the shell with --expect (live is {live_sha256}),"
            " or force it, at the shell with --force."
        )
        self.live_sha256 = live_sha256


class NoteChanged(Stale):
    """A write over a note that changed since it was read."""

    def __init__(self, path: str, author: str, live_sha256: str) -> None:
        super().__init__(
            f"{path} changed since you read it: {author} wrote it; "
            f"read it again, then save with its sha256 {live_sha256} or force the save."
        )
        self.live_sha256 = live_sha256


class DraftChanged(Stale):
    """A draft was to be replaced or published that is not the one the caller read (decision 37)."""

    def __init__(self, agent: str, what: str, live_sha256: str | None) -> None:
        super().__init__(f"The Task draft of {agent} changed since you read it: {what}; read it again, then decide.")
        self.live_sha256 = live_sha256


class DraftOfAnother(DraftChanged):
    """A draft was to be written over that somebody else keeps, by one who did not say to have read it."""

    def __init__(self, agent: str, author: str, saved_at: str, live_sha256: str) -> None:
        Stale.__init__(
            self,
            f"The Task draft of {agent} is by {author}, kept {saved_at}; 'studio task show AGENT --draft' shows it. Say that you read"
            f" it with --expect {live_sha256}, or write over it with --force.",
        )
        self.live_sha256 = live_sha256


class NoReplacedDraft(NotFound):
    """No draft that was replaced or discarded has this number."""

    def __init__(self, agent: str, number: int) -> None:
        super().__init__(
            f"There is no replaced draft {number} of the Task of {agent}; 'studio task drafts AGENT' lists those that are kept."
        )


class RecordChanged(Stale):
    """A write over a record that changed since it was read (decision 37)."""

    def __init__(self, record: str, collection: str, author: str, live_sha256: str) -> None:
        super().__init__(
            f"The record {record!r} of {collection} changed since you read it: {author} wrote it; read it again, then write"
            f" with its sha256 {live_sha256}."
        )
        self.live_sha256 = live_sha256


class BlockChanged(Stale):
    """An edit of a file of a memory directory that was committed anew since it was read (decision 37)."""

    def __init__(self, path: str, author: str, live_sha256: str | None) -> None:
        what, how = (
            ("it is not there any more", "without a sha256")
            if live_sha256 is None
            else (f"{author} committed it", f"with its sha256 {live_sha256}")
        )
        super().__init__(
            f"{path} changed since you read it: {what}; read it again, then edit it {how} or force the edit."
        )
        self.live_sha256 = live_sha256


class HeadMoved(Stale):
    """Somebody committed to the repository while a commit of ours was made."""

    def __init__(self, repository: str) -> None:
        super().__init__(f"Somebody else committed to {repository} in the same moment; nothing was changed, try again.")


# --- busy --------------------------------------------------------------------------------------------------------------------


class StoreHeld(Busy):
    """Another process owns the store."""

    def __init__(self, path: str, holder: str) -> None:
        super().__init__(f"The store {path} is in use by {holder}; stop that process or name another store with --db.")


class VerifyRunning(Busy):
    """The store is being verified."""

    def __init__(self, path: str) -> None:
        super().__init__(f"The store {path} is being verified already; ask again when that is done.")


class StoreServed(StoreHeld):
    """Another process owns the store and serves it."""

    def __init__(self, path: str, pid: int, url: str) -> None:
        self.url = url
        Busy.__init__(
            self,
            f"The store {path} is served at {url} by the process {pid} already; open that URL, or stop that process first.",
        )


class OwnerGone(Busy):
    """The process that serves a store does not answer any more."""

    def __init__(self, where: str, why: str) -> None:
        super().__init__(f"What serves {where} does not answer ({why}); see that it runs, then try again.")


class OwnerSilent(Busy):
    """The process that serves a store took a request and gave no answer."""

    def __init__(self, where: str) -> None:
        super().__init__(
            f"What serves {where} took the request and broke off before it answered; whether it was carried out is not known:"
            " look before you repeat it."
        )


class OwnerFailed(Damaged):
    """The process that serves a store answered with something that is no answer of ours."""

    def __init__(self, where: str, said: str) -> None:
        super().__init__(f"What serves {where} answered with what is no answer of Prompt Studio: {said.rstrip('.')}.")


class OwnerFault(Damaged):
    """The process that serves a store met a fault of its own."""

    def __init__(self, where: str, said: str) -> None:
        super().__init__(f"What serves {where} could not carry this out: {said}")


class CallTooLarge(Refused):
    """A call with more text than the owner of a store takes at once."""

    def __init__(self, method: str, sent_bytes: int) -> None:
        super().__init__(
            f"With {sent_bytes / 2**20:.1f} MiB {method} is more than what serves the store takes at once; nothing was written."
            " Stop what serves it, so that the store is opened here, and call it again."
        )


class NotAdmitted(Refused):
    """What serves a store lets nobody in with this token, or with none."""

    def __init__(self, where: str) -> None:
        super().__init__(
            f"{where} does not let you in; make a token there with 'studio token create' and give it as STUDIO_TOKEN"
            " or open_studio(url, token=…)."
        )


class NotAllowed(Refused):
    """The role of who asks does not reach this."""

    def __init__(self, role: str, what: str) -> None:
        super().__init__(f"The role {role} may not call {what}; an operator's token may.")


class OnThatMachineOnly(Refused):
    """Something that touches files where the store is was asked for from elsewhere."""

    def __init__(self, what: str) -> None:
        super().__init__(
            f"{what} touches files where the store is served, so only programs of the system user who serves it may call it;"
            " run it there."
        )


class OtherTemplates(Refused):
    """A store that is served composes with the templates of its owner, and others were asked for."""

    def __init__(self, asked: str, used: str) -> None:
        super().__init__(
            f"The store is being served with the prompt templates in {used}, so those in {asked} cannot be used;"
            " leave them out, or stop what serves the store."
        )


class StoreClosed(Busy):
    """The store was closed and is used again."""

    def __init__(self, path: str) -> None:
        super().__init__(f"The store {path} is closed; open it again.")


class StoreFull(Busy):
    """The disk took no more; nothing of the write is kept and nothing is damaged."""

    def __init__(self, path: str) -> None:
        super().__init__(f"The disk that holds {path} is full, so nothing was saved; make room there, then try again.")


class NoBackup(Busy):
    """A copy of a store could not be made."""

    def __init__(self, target: str, why: str) -> None:
        super().__init__(
            f"No copy was made at {target} and nothing is left there ({why}); make room or name another place."
        )


class NoFolder(Busy):
    """Our folder among the user's data cannot be made."""

    def __init__(self, folder: str, why: str) -> None:
        super().__init__(f"The folder {folder} for the store cannot be made ({why}); name a store elsewhere with --db.")


class StoreDied(Busy):
    """The disk took no more while DuckDB tidied its file up; the open store answers nothing any more, the file itself is whole."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(
            f"The disk under the store {path} failed ({why}), and what has it open must be started again; make room there first."
            " Every write that was acknowledged is kept."
        )


class Stopping(Busy):
    """A server that is being stopped takes no new request."""

    def __init__(self) -> None:
        super().__init__("The server is being stopped and takes no new request; try again when it is back.")


class StoreForked(Busy):
    """The store was opened before a fork."""

    def __init__(self, path: str) -> None:
        super().__init__(f"The store {path} was opened before this process was forked; open it in the child process.")


class PortTaken(Busy):
    """Another program listens on the port."""

    def __init__(self, port: int) -> None:
        super().__init__(
            f"Port {port} is taken by another program; name another with --port, or --port 0 for a free one."
        )


class CannotListen(Busy):
    """The system does not let the app listen where it was told to."""

    def __init__(self, address: str, port: int, why: str) -> None:
        super().__init__(f"Cannot listen on {address}:{port} ({why}); name others with --address and --port.")


class RepositoryHeld(Busy):
    """Another git process holds the index of a repository."""

    def __init__(self, repository: str, lock: str) -> None:
        super().__init__(
            f"Another git process is at work in {repository}; try again, or remove {lock} if none is running any more."
        )


class RunGenerating(Busy):
    """A run was given a message or a second driver while a model carries it on (decision 27)."""

    def __init__(self, run: str) -> None:
        super().__init__(f"The run {run} is generating; wait until its turn is over, or stop it.")


class LeaseLost(RunGenerating):
    """A driver of a run comes with a lease that is not the run's any more."""

    def __init__(self, run: str) -> None:
        Busy.__init__(
            self,
            f"The run {run} is not carried on by this driver any more: another one took it over, or it was given back.",
        )


class NotAnswered(Busy):
    """A repeat of a request that was begun and has no answer yet, or lost it with the process that carried it out."""

    def __init__(self, key: str) -> None:
        super().__init__(
            f"The request with the key {key!r} is still being carried out, or was cut off; look at what it did before you"
            " send it under another key."
        )


# --- damaged -----------------------------------------------------------------------------------------------------------------


class StoreDamaged(Damaged):
    """The store's file cannot be opened as a store."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(
            f"The store {path} cannot be opened: {why}; restore it from a backup or name another store with --db."
        )


class StoreNewer(Damaged):
    """The store was written by a newer Prompt Studio."""

    def __init__(self, path: str, has: int, knows: int) -> None:
        super().__init__(
            f"The store {path} has schema {has} and this Prompt Studio knows up to {knows}; upgrade Prompt Studio."
        )


class NotAStore(Damaged):
    """A DuckDB file that is not ours, or no DuckDB file at all."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(f"{path} is not a Prompt Studio store ({why}); name another file with --db.")
