"""The library espeak-ng: phonemes for neural voices, and a voice of its own for the languages that have none."""

from __future__ import annotations

import ctypes
import re
import threading
from typing import List, Optional

import espeakng_loader
import numpy as np

from .lane import Stop, Stopped
from .mouth import OPENAI_VOICES, Mouth, as_loud, at_rate, with_pause

_AUDIO_OUTPUT_SYNCHRONOUS = 2
_DONT_EXIT = 0x8000
_UTF8 = 1
#: `^` between the two signs of a diphthong or an affricate.
_IPA = 0x02
_TIES = 0x80 | (ord("^") << 8)
_SPEED = 1
#: Words a minute: espeak-ng's usual speed is fast for a telephone. It takes 80 to 450.
_WORDS_PER_MINUTE = 155

#: It finds voices by name or file, and these languages have another one there.
_VOICES = {"en-gb": "en", "no": "nb"}

_ON_SOUND = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.c_void_p)


class EspeakNg:
    """The library keeps its state in the process, so one thread at a time uses it."""

    _lock = threading.Lock()
    _library: Optional[ctypes.CDLL] = None
    _rate = 0

    def __init__(self) -> None:
        with EspeakNg._lock:
            if EspeakNg._library is None:
                EspeakNg._library = self._load()

    @staticmethod
    def _load() -> ctypes.CDLL:
        library = ctypes.CDLL(espeakng_loader.get_library_path())
        library.espeak_TextToPhonemes.restype = ctypes.c_char_p
        library.espeak_TextToPhonemes.argtypes = [ctypes.POINTER(ctypes.c_char_p), ctypes.c_int, ctypes.c_int]
        library.espeak_SetSynthCallback.argtypes = [_ON_SOUND]
        library.espeak_Synth.argtypes = [
            *(ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint, ctypes.c_int, ctypes.c_uint, ctypes.c_uint),
            *(ctypes.c_void_p, ctypes.c_void_p),
        ]
        data = espeakng_loader.get_data_path().encode()
        EspeakNg._rate = library.espeak_Initialize(_AUDIO_OUTPUT_SYNCHRONOUS, 0, data, _DONT_EXIT)
        if EspeakNg._rate <= 0:
            raise RuntimeError("espeak-ng cannot be initialized")
        return library

    def _use(self, language: str) -> ctypes.CDLL:
        library = EspeakNg._library
        assert library is not None
        if library.espeak_SetVoiceByName(_VOICES.get(language, language).encode()) != 0:
            raise RuntimeError(f"espeak-ng has no voice {language}")
        return library

    def ipa(self, text: str, language: str, ties: bool = True) -> str:
        position = ctypes.c_char_p(text.encode())
        found: List[str] = []
        with EspeakNg._lock:
            library = self._use(language)
            # One clause a call; the pointer is null after the last one.
            while position.value is not None:
                clause = library.espeak_TextToPhonemes(ctypes.byref(position), _UTF8, _IPA | (_TIES if ties else 0))
                found.append(clause.decode("utf-8", "ignore"))
        # Marks of a switch to another language, such as (en), are no phonemes.
        return re.sub(r"\([^)]*\)", "", " ".join(part.strip() for part in found if part.strip()))

    def sound(self, text: str, language: str, words_per_minute: int, stop: Stop) -> np.ndarray:
        """Samples at the rate of `pcm`. @raises Stopped"""
        blocks: List[np.ndarray] = []

        def on_sound(samples, count: int, _events) -> int:
            if samples and count > 0:
                blocks.append(np.ctypeslib.as_array(samples, (count,)).astype(np.float32))
            return 1 if stop.is_set else 0

        callback = _ON_SOUND(on_sound)
        data = text.encode()
        with EspeakNg._lock:
            library = self._use(language)
            library.espeak_SetSynthCallback(callback)
            library.espeak_SetParameter(_SPEED, words_per_minute, 0)
            failed = library.espeak_Synth(data, len(data) + 1, 0, 1, 0, _UTF8, None, None)
        if stop.is_set:
            raise Stopped
        if failed:
            raise RuntimeError(f"espeak-ng fails with {failed}")
        return as_loud(at_rate(np.concatenate(blocks), EspeakNg._rate)) if blocks else np.zeros(0, np.float32)


class Espeak(Mouth):
    """Intelligible in many languages, and clearly a machine. Each voice is a language."""

    sounds_like_a_machine = True

    def __init__(self, languages: List[str]) -> None:
        self._espeak = EspeakNg()
        self._languages = list(languages)

    @property
    def voices(self) -> List[str]:
        return self._languages

    def voice(self, name: Optional[str]) -> str:
        if not name or name in OPENAI_VOICES:
            return self._languages[0]
        if name not in self._languages:
            raise self._unknown(name)
        return name

    def language(self, voice: str) -> str:
        return voice

    def speak(self, clause: str, voice: str, speed: float, stop: Optional[Stop] = None) -> np.ndarray:
        words_per_minute = min(450, max(80, round(_WORDS_PER_MINUTE * speed)))
        return with_pause(self._espeak.sound(clause, voice, words_per_minute, stop or Stop()), clause, speed)
