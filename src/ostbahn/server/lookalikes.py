"""Names that look alike: readers take two names for one where their skeletons are the same (after Unicode's UTS #39).

The table has the letters of Cyrillic, Greek and Armenian that look like Latin ones, and what looks alike in Latin. A
name has letters of one alphabet only, and those of others do not look like Latin ones.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

from ostbahn.kernel.errors import BadSetup
from ostbahn.table.access import Unreadable

NAME: Final = re.compile(r"[^\W_][\w .'-]{1,38}[^\W_]?", re.UNICODE)
_LETTERS: Final = (
    ("АВЕЅІЈКМНОРСТУХӀԚԜѴԌаеѕіјкмнорстухвгпиьһԁԛԝѵӏ", "ABESIJKMHOPCTYXlQWVGaesijkmhopctyxbrnubhdqwvl"),  # Cyrillic
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹαβγεηικνορστυχωϲϳ", "ABEZHIKMNOPTYXCabyenikvopotuxwcj"),  # Greek
    ("ՕՏԼՍօոսհյցզռգ", "OSLUonuhjgqnq"),  # Armenian
    ("ıƒĸǀ", "ifkl"),  # Latin
    ("I1|", "lll"),
    ("0", "O"),
)
CONFUSABLE: Final = {
    ord(letter): like for letters, latin in _LETTERS for letter, like in zip(letters, latin, strict=True)
}
CONFUSABLE_PAIR: Final = {ord("m"): "rn"}
TOGETHER: Final = ({"CJK", "HIRAGANA", "KATAKANA"}, {"CJK", "HANGUL"})  # alphabets that are written together
ALPHABETS: Final = {
    *("LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "GEORGIAN", "HEBREW", "ARABIC", "ETHIOPIC", "THAI", "LAO", "KHMER"),
    *("DEVANAGARI", "BENGALI", "GUJARATI", "GURMUKHI", "KANNADA", "MALAYALAM", "TAMIL", "TELUGU", "SINHALA", "MYANMAR"),
    *("HANGUL", "CJK", "HIRAGANA", "KATAKANA"),
}
"""Those that many people write in today (Unicode's recommended scripts): others have letters that look like theirs."""
INVISIBLE: Final = frozenset("\u115f\u1160\u17b4\u17b5\u3164\uffa0")  # letters that show nothing
IGNORABLE: Final = dict.fromkeys([0x34F, *range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)])
"""Marks that show nothing: joiners and variation selectors."""
USUAL_LATIN: Final = (range(0x250), range(0x1E00, 0x1F00))
"""Beyond lie phonetic letters, such as small capitals, that look like those of everybody."""
SOMEBODY: Final = "Somebody"  # what people are called whose account is gone
RESERVED: Final = (
    *(SOMEBODY, "Traveller", "Host", "Spectator"),  # what people are called who have no name
    *("Vaclav", "Istvan"),  # whom the rules play
    *("Ostbahn", "Admin", "Administrator", "Moderator"),
)


def clean(name: str) -> str:
    """A name in the form in which it is kept: full-width and other compatible letters as usual ones, single blanks."""
    return " ".join(unicodedata.normalize("NFKC", name).split())


def skeleton(name: str) -> str:
    """The same for all names that readers take for one another. Blanks, dots, dashes and apostrophes do not count."""
    text = _digits(unicodedata.normalize("NFD", clean(name)).translate(IGNORABLE)).translate(CONFUSABLE)
    letters = text.casefold().translate(CONFUSABLE).translate(CONFUSABLE_PAIR).replace("vv", "w")
    return unicodedata.normalize("NFC", "".join(each for each in letters if each.isalnum() or _is_mark(each)))


def is_reserved(name: str) -> bool:
    """Whether the server itself calls people so, with a number behind or without."""
    return _bare(re.sub(r"[\W\d]+$", "", clean(name))) in _RESERVED


def account_name(text: str) -> str:
    """The name that somebody wants for their account, clean; refused if nobody can be called so."""
    name = clean(text)
    if not text.strip().isprintable() or NAME.fullmatch(name) is None or INVISIBLE & set(name):
        raise Unreadable("a name has 2 to 40 letters, digits, blanks, dots, dashes or apostrophes")
    if not _in_one_alphabet(name):
        raise Unreadable(f"the name {name} has letters of several alphabets, or rare ones; use those of one alphabet")
    if is_reserved(name):
        raise Unreadable(f"the name {name} is kept for the server's own use; choose another one")
    return name


def check_seat_name(name: str, others: Iterable[str]) -> None:
    """Refuse a name at a table that readers would take for another one there."""
    if INVISIBLE & set(name) or not skeleton(name):
        raise BadSetup(f"{name!a} cannot be a player's name")
    if not _in_one_alphabet(clean(name)):
        raise BadSetup(f"the name {name} has letters of several alphabets, or rare ones; use those of one alphabet")
    if is_reserved(name):
        raise BadSetup(f"the name {name} is kept for the server's own use; choose another one")
    for other in others:
        if skeleton(other) == skeleton(name):
            raise BadSetup(f"the names {other} and {name} look alike; choose another one")


def _bare(name: str) -> str:
    """A skeleton without accents: whoever reads Vaclav may think of Václav."""
    return "".join(each for each in unicodedata.normalize("NFD", skeleton(name)) if not _is_mark(each))


def _is_mark(letter: str) -> bool:
    return unicodedata.category(letter) == "Mn"


def _digits(text: str) -> str:
    """Digits of all alphabets as ours."""
    return "".join(str(unicodedata.decimal(each)) if each.isdecimal() else each for each in text)


def _in_one_alphabet(name: str) -> bool:
    letters = [each for each in name if each.isalpha()]
    alphabets = {unicodedata.name(each, "?").split()[0] for each in letters}
    usual = all(any(ord(each) in block for block in USUAL_LATIN) for each in letters if _is_latin(each))
    return usual and alphabets <= ALPHABETS and (len(alphabets) <= 1 or any(alphabets <= set_ for set_ in TOGETHER))


def _is_latin(letter: str) -> bool:
    return unicodedata.name(letter, "").startswith("LATIN")


_RESERVED: Final = frozenset(map(_bare, RESERVED))
