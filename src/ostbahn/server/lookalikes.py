"""Names that look alike: readers confuse names with the same skeleton (after Unicode's UTS #39).

A skeleton maps Cyrillic, Greek and Armenian letters to similar Latin ones. A name may use one alphabet only.
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
TOGETHER: Final = ({"CJK", "HIRAGANA", "KATAKANA"}, {"CJK", "HANGUL"})  # alphabets that one name may mix
ALPHABETS: Final = {
    *("LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "GEORGIAN", "HEBREW", "ARABIC", "ETHIOPIC", "THAI", "LAO", "KHMER"),
    *("DEVANAGARI", "BENGALI", "GUJARATI", "GURMUKHI", "KANNADA", "MALAYALAM", "TAMIL", "TELUGU", "SINHALA", "MYANMAR"),
    *("HANGUL", "CJK", "HIRAGANA", "KATAKANA"),
}
"""Allowed alphabets: Unicode's recommended scripts. Letters of others look like theirs."""
INVISIBLE: Final = frozenset("\u115f\u1160\u17b4\u17b5\u3164\uffa0")  # letters without a glyph
IGNORABLE: Final = dict.fromkeys([0x34F, *range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)])
"""Invisible marks: joiners and variation selectors."""
USUAL_LATIN: Final = (range(0x250), range(0x1E00, 0x1F00))
"""Blocks of Latin letters in common use; others have phonetic letters, such as small capitals, that look like them."""
SOMEBODY: Final = "Somebody"  # the name of people whose account was deleted
RESERVED: Final = (
    *(SOMEBODY, "Traveller", "Host", "Spectator"),  # names that the server gives to people without one
    *("Vaclav", "Istvan"),  # automated opponents
    *("Ostbahn", "Admin", "Administrator", "Moderator"),
)


def clean(name: str) -> str:
    """A name as it is stored: in Unicode's NFKC form, with single blanks."""
    return " ".join(unicodedata.normalize("NFKC", name).split())


def skeleton(name: str) -> str:
    """A text that is equal for names that readers confuse; it ignores blanks, dots, dashes and apostrophes."""
    decomposed = unicodedata.normalize("NFD", clean(name)).translate(IGNORABLE)
    text = "".join(str(unicodedata.decimal(char)) if char.isdecimal() else char for char in decomposed)
    letters = text.translate(CONFUSABLE).casefold().translate(CONFUSABLE).translate(CONFUSABLE_PAIR).replace("vv", "w")
    return unicodedata.normalize("NFC", "".join(char for char in letters if char.isalnum() or _is_mark(char)))


def is_reserved(name: str) -> bool:
    """Whether a name is reserved for the server's own use, also with a number behind it."""
    return _without_accents(re.sub(r"[\W\d]+$", "", clean(name))) in _RESERVED


def account_name(text: str) -> str:
    """The clean form of an account name; refuses bad names."""
    name = clean(text)
    if not text.strip().isprintable() or NAME.fullmatch(name) is None or INVISIBLE & set(name):
        raise Unreadable("a name has 2 to 40 letters, digits, blanks, dots, dashes or apostrophes")
    if fault := _name_fault(name):
        raise Unreadable(fault)
    return name


def check_seat_name(name: str, others: Iterable[str]) -> None:
    """Refuse a bad name of a player, or one that looks like the name of another at the table."""
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


def _without_accents(name: str) -> str:
    """A skeleton without accents, so that Vaclav equals Václav."""
    return "".join(char for char in unicodedata.normalize("NFD", skeleton(name)) if not _is_mark(char))


def _is_mark(letter: str) -> bool:
    return unicodedata.category(letter) == "Mn"


def _in_one_alphabet(name: str) -> bool:
    by_letter = {letter: unicodedata.name(letter, "?").split()[0] for letter in name if letter.isalpha()}
    alphabets, latin = set(by_letter.values()), [ord(letter) for letter in by_letter if by_letter[letter] == "LATIN"]
    has_usual_latin = all(any(code in block for block in USUAL_LATIN) for code in latin)
    is_one_script = len(alphabets) <= 1 or any(alphabets <= mixable for mixable in TOGETHER)
    return has_usual_latin and alphabets <= ALPHABETS and is_one_script


_RESERVED: Final = frozenset(map(_without_accents, RESERVED))
