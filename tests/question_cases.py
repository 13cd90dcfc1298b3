"""A text for each question of decision 39, and the store in which it deserves it: one table for all doors."""

from dataclasses import dataclass, field

from studio.actions.studio import Studio
from studio.domain.questions import Question

GOOD = "Keep watch.\n"
CONFLICT = "Keep watch.\n<<<<<<< draft\nmine\n=======\ntheirs\n>>>>>>> live\n"
KEY = "The token is ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8.\n"
"""What looks like a token of GitHub; nobody's."""
LARGE = ("first.md", "second.md")
"""Notes that do not fit into a prompt together (publish-03)."""
TEXTS = {
    Question.MARKERS: CONFLICT,
    Question.EMPTY: "   \n",
    Question.BROKEN_LINKS: "Read\n![[org/o/notes/no.md]]\n",
    Question.OVER_BUDGET: "first ![[{first}]]\nthen ![[{second}]]\n",
    Question.KEY: KEY,
}
LINES = {
    Question.MARKERS: (2, 4, 6),
    Question.EMPTY: (),
    Question.BROKEN_LINKS: (2,),
    Question.OVER_BUDGET: (2,),
    Question.KEY: (1,),
}
"""The lines that each question names."""
MEMORY = (Question.MARKERS, Question.EMPTY, Question.KEY)
"""What can be asked of a memory or a note."""
TASK = tuple(Question)


@dataclass(frozen=True)
class Deserving:
    """Texts that deserve a question in one store."""

    first: str = field(default="", repr=False)
    second: str = field(default="", repr=False)

    @classmethod
    def in_store(cls, studio: Studio) -> "Deserving":
        """With the notes that one of them embeds."""
        paths = [studio.notes.path(name) for name in LARGE]
        for path, size in zip(paths, (40_000, 25_537), strict=True):
            studio.notes.create(path, "n" * size)
        return cls(*paths)

    def text(self, question: Question) -> str:
        return TEXTS[question].format(first=self.first, second=self.second)
