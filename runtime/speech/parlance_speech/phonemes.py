"""Phonemes by espeak-ng, in the alphabet that Kokoro was trained with."""

from __future__ import annotations

import ctypes
import re
import threading
from typing import List

import espeakng_loader

_AUDIO_OUTPUT_SYNCHRONOUS = 2
_DONT_EXIT = 0x8000
_UTF8 = 1
#: IPA, and `^` between the two signs of a diphthong or an affricate.
_IPA_WITH_TIES = 0x02 | 0x80 | (ord("^") << 8)

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
#: espeak-ng finds voices by name or file, and its British one is the plain `en`.
_VOICES = {"en-gb": "en"}
_PUNCTUATION = re.compile(r"([,.;:!?…—]+)")


class Phonemizer:
    """espeak-ng keeps its state in the process, so one thread at a time uses it."""

    _lock = threading.Lock()
    _library = None

    def __init__(self) -> None:
        with Phonemizer._lock:
            if Phonemizer._library is None:
                Phonemizer._library = self._load()

    @staticmethod
    def _load() -> ctypes.CDLL:
        library = ctypes.CDLL(espeakng_loader.get_library_path())
        library.espeak_TextToPhonemes.restype = ctypes.c_char_p
        library.espeak_TextToPhonemes.argtypes = [ctypes.POINTER(ctypes.c_char_p), ctypes.c_int, ctypes.c_int]
        data = espeakng_loader.get_data_path().encode()
        if library.espeak_Initialize(_AUDIO_OUTPUT_SYNCHRONOUS, 0, data, _DONT_EXIT) <= 0:
            raise RuntimeError("espeak-ng cannot be initialized")
        return library

    def _ipa(self, text: str, language: str) -> str:
        library = Phonemizer._library
        assert library is not None
        position = ctypes.c_char_p(text.encode())
        found: List[str] = []
        with Phonemizer._lock:
            if library.espeak_SetVoiceByName(_VOICES.get(language, language).encode()) != 0:
                raise RuntimeError(f"espeak-ng has no voice {language}")
            # One clause a call; the pointer is null after the last one.
            while position.value is not None:
                clause = library.espeak_TextToPhonemes(ctypes.byref(position), _UTF8, _IPA_WITH_TIES)
                found.append(clause.decode("utf-8", "ignore"))
        # Marks of a switch to another language, such as (en), are no phonemes.
        return re.sub(r"\([^)]*\)", "", " ".join(part.strip() for part in found if part.strip()))

    def phonemes(self, text: str, language: str) -> str:
        """espeak-ng drops punctuation, which Kokoro turns into pauses and melody: it is put back."""
        parts = _PUNCTUATION.split(text)
        spoken = ""
        for index, part in enumerate(parts):
            if index % 2 == 1:
                spoken = spoken.rstrip() + part[0] + " "
            elif part.strip():
                spoken += to_kokoro(self._ipa(part, language), language) + " "
        return spoken.strip()


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
