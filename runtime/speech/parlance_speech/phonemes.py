"""Phonemes by espeak-ng, in the alphabet that Kokoro was trained with."""

from __future__ import annotations

import re
from typing import Callable

from .espeak import EspeakNg

#: From espeak-ng's IPA to the alphabet of misaki, which phonemized Kokoro's training data.
_TO_MISAKI = sorted(
    {
        "ʔˌn\u0329": "tn", "ʔn\u0329": "tn", "ʔn": "tn", "ʔ": "t", "a^ɪ": "I", "a^ʊ": "W", "d^ʒ": "ʤ", "e^ɪ": "A",
        "e": "A", "t^ʃ": "ʧ", "ɔ^ɪ": "Y", "ə^l": "ᵊl", "ʲo": "jo", "ʲə": "jə", "ʲ": "", "ɚ": "əɹ", "r": "ɹ",
        "x": "k", "ç": "k", "ɐ": "ə", "ɬ": "l", "\u0303": "",
    }.items(),
    key=lambda pair: -len(pair[0]),
)  # fmt: skip
_AMERICAN = (("o^ʊ", "O"), ("ɜːɹ", "ɜɹ"), ("ɜː", "ɜɹ"), ("ɪə", "iə"), ("ː", ""))
_BRITISH = (("e^ə", "ɛː"), ("iə", "ɪə"), ("ə^ʊ", "Q"))
_PUNCTUATION = re.compile(r"([,.;:!?…—]+)")


def with_punctuation(text: str, phonemes_of: Callable[[str], str]) -> str:
    """espeak-ng drops punctuation, which a model turns into pauses and melody: it is put back."""
    parts = _PUNCTUATION.split(text)
    spoken = ""
    for index, part in enumerate(parts):
        if index % 2 == 1:
            spoken = spoken.rstrip() + part[0] + " "
        elif part.strip():
            spoken += phonemes_of(part) + " "
    return spoken.strip()


class Phonemizer:
    def __init__(self) -> None:
        self._espeak = EspeakNg()

    def phonemes(self, text: str, language: str) -> str:
        return with_punctuation(text, lambda part: to_kokoro(self._espeak.ipa(part, language), language))


def to_kokoro(ipa: str, language: str) -> str:
    if not language.startswith("en"):
        # Kokoro learnt other languages from espeak-ng's own IPA, with these signs for what belongs together.
        joined = ipa.replace("a^ɪ", "I").replace("a^ʊ", "W").replace("d^z", "ʣ").replace("d^ʒ", "ʤ")
        joined = joined.replace("e^ɪ", "A").replace("o^ʊ", "O").replace("ə^ʊ", "Q").replace("s^s", "S")
        joined = joined.replace("t^s", "ʦ").replace("t^ʃ", "ʧ").replace("ɔ^ɪ", "Y")
        return joined.replace("^", "").replace("-", "")
    for old, new in _TO_MISAKI:
        ipa = ipa.replace(old, new)
    ipa = re.sub(r"(\S)\u0329", r"ᵊ\1", ipa).replace("\u0329", "")
    for old, new in _BRITISH if language == "en-gb" else _AMERICAN:
        ipa = ipa.replace(old, new)
    return ipa.replace("^", "").replace("-", "")
