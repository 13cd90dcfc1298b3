"""What is recognised as standing in place of a text, and what is not (decision 41)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.domain.bodies import Body
from studio.domain.stand_ins import LINK_MODE, StandIn, StandInKind, stand_in_of

OID = "4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393"
LFS = f"version https://git-lfs.github.com/spec/v1\noid sha256:{OID}\nsize 12345\n"
EXTENDED = LFS.replace("oid", f"ext-0-foo sha256:{OID}\next-1-bar sha256:{OID}\noid", 1)
KEY = f"SHA256E-s20480--{OID}.md"
POINTER = StandIn(StandInKind.LFS, f"sha256:{OID}", 12345)


@pytest.mark.parametrize(
    ("content", "found"),
    [
        pytest.param(LFS, POINTER, id="LFS"),
        pytest.param(LFS[:-1], POINTER, id="LFS without a last newline"),
        pytest.param(
            LFS.replace("git-lfs.github.com/spec/v1", "hawser.github.com/spec/v1"), POINTER, id="LFS before release"
        ),
        pytest.param(
            EXTENDED,
            StandIn(StandInKind.LFS, f"sha256:{OID}, changed by an extension", 12345),
            id="LFS with extensions",
        ),
        pytest.param(f"/annex/objects/{KEY}\n", StandIn(StandInKind.ANNEX, KEY, 20480), id="annex"),
        pytest.param(
            "/annex/objects/WORM-m12--a b\n", StandIn(StandInKind.ANNEX, "WORM-m12--a b"), id="annex without a size"
        ),
        pytest.param(b"\0GITCRYPT\0\x01\x02\xff", StandIn(StandInKind.ENCRYPTED, "git-crypt"), id="git-crypt"),
        pytest.param(b"age-encryption.org/v1\n-> X25519 a\n\xff\0", StandIn(StandInKind.ENCRYPTED, "age"), id="age"),
        pytest.param(
            "-----BEGIN AGE ENCRYPTED FILE-----\nYWdl\n-----END AGE ENCRYPTED FILE-----\n",
            StandIn(StandInKind.ENCRYPTED, "age"),
            id="age in letters",
        ),
        pytest.param("-----BEGIN PGP MESSAGE-----\n\nhQ\n", StandIn(StandInKind.ENCRYPTED, "PGP"), id="PGP"),
        pytest.param("$ANSIBLE_VAULT;1.1;AES256\n6262\n", StandIn(StandInKind.ENCRYPTED, "Ansible Vault"), id="vault"),
        pytest.param('{\n\t"data": "ENC[AES256_GCM,data:x', StandIn(StandInKind.ENCRYPTED, "SOPS"), id="SOPS"),
        pytest.param("U2FsdGVkX1+abc/d\nef==\n", StandIn(StandInKind.ENCRYPTED, "OpenSSL"), id="transcrypt"),
        pytest.param("@AGENTS.md\n", StandIn(StandInKind.MENTION, "AGENTS.md"), id="mention"),
        pytest.param(
            "\ufeff\r\n  @./docs/a\\ b.md \r\n\r\n", StandIn(StandInKind.MENTION, "./docs/a\\ b.md"), id="blanks"
        ),
        pytest.param("@OTHER", StandIn(StandInKind.MENTION, "OTHER"), id="any name"),
    ],
)
def test_what_stands_in_place_of_a_text(content: str | bytes, found: StandIn) -> None:
    assert stand_in_of(Body.of_bytes(content if isinstance(content, bytes) else content.encode())) == found


@pytest.mark.parametrize(
    "content",
    [
        "",
        "\n",
        "@",
        "@@x",
        "@AGENTS.md\n@OTHER.md\n",
        "@AGENTS.md and more\n",
        "# Memory\n@AGENTS.md\n",
        "ana@example.org\n",
        "AGENTS.md",
        LFS + "more\n",
        "\n" + LFS,
        LFS.replace("\n", "\r\n"),
        LFS.replace("size 12345", "size -1"),
        LFS.replace("sha256", "md5"),
        LFS.replace(OID, OID.upper()),
        LFS.replace("oid", "ext-0-foo x\noid"),
        LFS.replace("oid", "".join(f"ext-{n % 10}-foo sha256:{OID}\n" for n in range(12)) + "oid", 1),
        f"oid sha256:{OID}\nversion https://git-lfs.github.com/spec/v1\nsize 1\n",
        "The file begins with version https://git-lfs.github.com/spec/v1\n",
        f"/annex/objects/{KEY}\nmore\n",
        "/annex/objects/\n",
        f"annex/objects/{KEY}\n",
        "A note on \0GITCRYPT\0 files",
        "See -----BEGIN PGP MESSAGE----- in the manual\n",
        "U2FsdGVkX1 is how it begins.\n",
        '{"data": "plain"}\n',
    ],
)
def test_what_is_a_text_itself(content: str) -> None:
    assert stand_in_of(Body.of_bytes(content.encode())) is None


@pytest.mark.parametrize(
    ("target", "found"),
    [
        ("AGENTS.md", StandIn(StandInKind.LINK, "AGENTS.md")),
        ("@AGENTS.md", StandIn(StandInKind.LINK, "@AGENTS.md")),
        ("../annex/objects/notes.md", StandIn(StandInKind.LINK, "../annex/objects/notes.md")),
        (f".git/annex/objects/Xx/9Q/{KEY}/{KEY}", StandIn(StandInKind.ANNEX, KEY, 20480)),
        (f"../../.git/modules/m/annex/objects/a1b/2c3/{KEY}/{KEY}", StandIn(StandInKind.ANNEX, KEY, 20480)),
    ],
)
def test_a_link_stands_for_what_it_leads_to(target: str, found: StandIn) -> None:
    assert stand_in_of(Body(target), LINK_MODE) == found


def test_a_link_whose_target_is_not_text_is_named_escaped() -> None:
    assert str(stand_in_of(Body.of_bytes(b"caf\xe9.md"), LINK_MODE)) == "a link to caf\\xe9.md"


@given(st.text(max_size=60), st.text(min_size=1, max_size=60))
def test_what_has_two_lines_of_words_is_a_text(first: str, second: str) -> None:
    body = Body.of_bytes(f"word {first}\nword {second}\n".encode())
    assert stand_in_of(body) is None


@pytest.mark.parametrize(
    ("stand_in", "said"),
    [
        (POINTER, f"a Git LFS pointer to sha256:{OID} of 12,345 bytes"),
        (StandIn(StandInKind.ANNEX, "WORM--a"), "a git-annex pointer to WORM--a"),
        (StandIn(StandInKind.ENCRYPTED, "age"), "a text encrypted with age"),
        (StandIn(StandInKind.MENTION, "AGENTS.md"), "a mention of AGENTS.md"),
        (StandIn(StandInKind.LINK, "AGENTS.md"), "a link to AGENTS.md"),
    ],
)
def test_a_stand_in_says_what_it_is(stand_in: StandIn, said: str) -> None:
    assert str(stand_in) == said
