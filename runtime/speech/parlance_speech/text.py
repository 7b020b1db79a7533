"""Text as it is written, made ready for speech: what has to be read differently, and the clauses to speak one by one."""

from __future__ import annotations

import re
from typing import Iterator

_MARKUP = re.compile(r"[*_#`~<>|\\]+|^\s*[-•]\s+", re.MULTILINE)
_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")
#: Seven or more digits are a telephone or reference number, which is read digit by digit.
_LONG_NUMBER = re.compile(r"\+?\d(?:[ \-./()]{0,2}\d){6,}")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")
_TIME = re.compile(r"\b(\d{1,2}):([0-5]\d)(?!\d|:)")
_MONEY = re.compile(r"([$£€])(\d+)(?:\.(\d{1,2}))?(?!\d)")
_COINS = {"$": ("dollar", "cent"), "£": ("pound", "penny"), "€": ("euro", "cent")}


def _digits(match: "re.Match[str]") -> str:
    groups = re.findall(r"\+|\d+", match.group())
    # A group of more than four is read in threes, as people do.
    short = [part for group in groups for part in (re.findall(r"\d{1,3}", group) if len(group) > 4 else [group])]
    return ", ".join(" ".join(group) for group in short).replace("+, ", "plus ")


def _time(match: "re.Match[str]") -> str:
    hour, minute = int(match.group(1)), match.group(2)
    if minute == "00":
        return f"{hour} o'clock" if 0 < hour <= 12 else f"{hour} hundred"
    return f"{hour} oh {minute[1]}" if minute[0] == "0" else f"{hour} {minute}"


def _money(match: "re.Match[str]") -> str:
    unit, coin = _COINS[match.group(1)]
    whole = int(match.group(2))
    text = f"{whole} {unit}" if whole == 1 else f"{whole} {unit}s"
    cents = int((match.group(3) or "0").ljust(2, "0"))
    if cents == 0:
        return text
    return f"{text} and {cents} {coin if cents == 1 else 'pence' if coin == 'penny' else coin + 's'}"


def prepare(text: str, language: str) -> str:
    """Numbers that are read in another way than espeak-ng would, and no markup of a language model."""
    text = _MARKUP.sub(" ", _LINK.sub(r"\1", text))
    text = text.replace("’", "'").replace("‘", "'").replace("\u00ad", "")
    text = _LONG_NUMBER.sub(_digits, text)
    if language.startswith("en"):
        text = _THOUSANDS.sub("", text)
        text = re.sub(r"(\d:\d\d) ?([ap])\.?m\b\.?", r"\1 \2 m", text, flags=re.IGNORECASE)
        text = _TIME.sub(_time, text)
        text = re.sub(r"o'clock (?=[ap] m\b)", "", text)
        text = _MONEY.sub(_money, text)
    return re.sub(r"\s+", " ", text).strip()


#: The end of a sentence, unless an abbreviation, an initial or a number stands before the stop.
_SENTENCE_END = re.compile(
    r"(?<!\b(?:Mr|Ms|Dr|St|vs))(?<!\b(?:Mrs|etc))(?<!\b[A-Za-z])[.!?…]+[\"')\]”]*(?=\s|$)|[。！？]"
)
_CLAUSE_END = re.compile(r"[,;:—–]+(?=\s)")
#: Shorter ones sound chopped off.
_SHORTEST_FIRST = 12
#: Longer ones are cut before a joining word: their audio takes most of a second to make.
_LONGEST_FIRST = 45
_SHORTEST_WORDS = 18
#: Words before which a speaker may take a breath.
_JOINTS = {
    language: re.compile(rf"\s(?=(?:{words})\s)", re.IGNORECASE)
    for language, words in {
        "en": "and|or|but|because|so|that|which|who|when|where|while|if|for|at|on|with|from|about|until|before|after",
        "es": "y|o|pero|porque|que|cuando|donde|si|para|con|desde|sobre|hasta|antes|después",
        "fr": "et|ou|mais|parce|que|qui|quand|où|si|pour|avec|depuis|sur|avant|après",
        "it": "e|o|ma|perché|che|quando|dove|se|per|con|da|prima|dopo",
        "pt": "e|ou|mas|porque|que|quando|onde|se|para|com|desde|sobre|até|antes|depois",
    }.items()
}
#: The memory of a synthesis grows with its length.
_LONGEST = 120


def _pieces(text: str, end: "re.Pattern[str]", shortest: int) -> Iterator[str]:
    start = 0
    for match in end.finditer(text):
        if match.end() - start >= shortest:
            yield text[start : match.end()]
            start = match.end()
    if text[start:].strip():
        yield text[start:]


def _bounded(text: str) -> Iterator[str]:
    """At most `_LONGEST` characters, cut at a clause if there is one, otherwise between words."""
    while len(text) > _LONGEST:
        window = text[:_LONGEST]
        ends = [match.end() for match in _CLAUSE_END.finditer(window)]
        cut = ends[-1] if ends and ends[-1] > _LONGEST // 3 else window.rfind(" ")
        cut = cut if cut > 0 else _LONGEST
        yield text[:cut]
        text = text[cut:]
    if text.strip():
        yield text


def _first(sentence: str, language: str) -> str:
    """The beginning that is spoken alone: a clause, or the words before a joining word where the clause is long."""
    clause = next(_pieces(sentence, _CLAUSE_END, _SHORTEST_FIRST))
    joints = _JOINTS.get(language[:2])
    if len(clause) <= _LONGEST_FIRST or joints is None:
        return clause
    joint = joints.search(clause, _SHORTEST_WORDS)
    # What is left must not be a word or two.
    last = min(_LONGEST_FIRST, len(clause) - _SHORTEST_FIRST)
    return clause[: joint.start()] if joint and joint.start() <= last else clause


def clauses(text: str, language: str) -> Iterator[str]:
    """
    What is spoken in one go: the first clause alone, so that the first sound comes early, then whole sentences, which
    sound better than their clauses.
    """
    sentences = list(_pieces(text, _SENTENCE_END, 1))
    if sentences:
        first = _first(sentences[0], language)
        sentences[0:1] = [first, sentences[0][len(first) :]]
    for sentence in sentences:
        for piece in _bounded(sentence):
            if any(character.isalnum() for character in piece):
                yield piece.strip()
