"""Names that look alike: readers confuse names with the same skeleton (after Unicode's UTS #39).

The table has Cyrillic, Greek and Armenian letters that look like Latin ones; a name has letters of one alphabet only.
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
    """A name as it is stored: full-width and other compatible letters as usual ones, single blanks."""
    return " ".join(unicodedata.normalize("NFKC", name).split())


def skeleton(name: str) -> str:
    """The same for names that readers confuse. Blanks, dots, dashes and apostrophes do not count."""
    parts = unicodedata.normalize("NFD", clean(name)).translate(IGNORABLE)
    text = "".join(str(unicodedata.decimal(each)) if each.isdecimal() else each for each in parts)
    letters = text.translate(CONFUSABLE).casefold().translate(CONFUSABLE).translate(CONFUSABLE_PAIR).replace("vv", "w")
    return unicodedata.normalize("NFC", "".join(each for each in letters if each.isalnum() or _is_mark(each)))


def is_reserved(name: str) -> bool:
    """Whether the server itself calls people so, perhaps with a number behind."""
    return _bare(re.sub(r"[\W\d]+$", "", clean(name))) in _RESERVED


def account_name(text: str) -> str:
    """A clean name for an account; refused if nobody can be called so."""
    name = clean(text)
    if not text.strip().isprintable() or NAME.fullmatch(name) is None or INVISIBLE & set(name):
        raise Unreadable("a name has 2 to 40 letters, digits, blanks, dots, dashes or apostrophes")
    if fault := _name_fault(name):
        raise Unreadable(fault)
    return name


def check_seat_name(name: str, others: Iterable[str]) -> None:
    """Refuse a name at a table that readers would take for another one there."""
    if INVISIBLE & set(name) or not skeleton(name):
        raise BadSetup(f"{name!a} cannot be a player's name")
    if fault := _name_fault(name):
        raise BadSetup(fault)
    for other in others:
        if skeleton(other) == skeleton(name):
            raise BadSetup(f"the names {other} and {name} look alike; choose another one")


def _name_fault(name: str) -> str:
    if not _in_one_alphabet(clean(name)):
        return f"the name {name} has letters of several alphabets, or rare ones; use those of one alphabet"
    return f"the name {name} is kept for the server's own use; choose another one" if is_reserved(name) else ""


def _bare(name: str) -> str:
    """A skeleton without accents: whoever reads Vaclav may think of Václav."""
    return "".join(each for each in unicodedata.normalize("NFD", skeleton(name)) if not _is_mark(each))


def _is_mark(letter: str) -> bool:
    return unicodedata.category(letter) == "Mn"


def _in_one_alphabet(name: str) -> bool:
    letters = {each: unicodedata.name(each, "?").split()[0] for each in name if each.isalpha()}
    alphabets, latin = set(letters.values()), [ord(each) for each in letters if letters[each] == "LATIN"]
    usual = all(any(letter in block for block in USUAL_LATIN) for letter in latin)
    return usual and alphabets <= ALPHABETS and (len(alphabets) <= 1 or any(alphabets <= set_ for set_ in TOGETHER))


_RESERVED: Final = frozenset(map(_bare, RESERVED))
