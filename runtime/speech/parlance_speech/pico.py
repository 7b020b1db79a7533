"""Speech by SVOX Pico: small voices of a phone's age, easier to understand than espeak-ng's."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Dict, List, Optional

import numpy as np

from .lane import Stop, Stopped
from .mouth import OPENAI_VOICES, Mouth, as_loud, at_rate, with_pause

_RATE = 16_000
#: Its usual speed is slow for a conversation.
_SPEED = 1.1


@dataclass(frozen=True)
class _Voice:
    #: The name that Pico has for it.
    language: str
    pitch: float


_VOICES: Dict[str, _Voice] = {
    "pico_de": _Voice("de-DE", 1.0),
    "pico_de_deep": _Voice("de-DE", 0.75),
    "pico_de_bright": _Voice("de-DE", 1.2),
}


class Pico(Mouth):
    sounds_like_a_machine = True
    #: The library keeps its state in the process, so one thread at a time uses it.
    _lock = threading.Lock()

    def __init__(self) -> None:
        # Not on every platform, and its import loads the library.
        from py_nanotts import NanoTTS

        self._library = NanoTTS()

    @property
    def voices(self) -> List[str]:
        return list(_VOICES)

    def voice(self, name: Optional[str]) -> str:
        if not name or name in OPENAI_VOICES:
            return self.voices[0]
        if name not in _VOICES:
            raise self._unknown(name)
        return name

    def language(self, voice: str) -> str:
        return _VOICES[voice].language

    def speak(self, clause: str, voice: str, speed: float, stop: Optional[Stop] = None) -> np.ndarray:
        chosen = _VOICES[voice]
        with Pico._lock:
            if stop is not None and stop.is_set:
                raise Stopped
            pcm = self._library.speak(clause, chosen.language, _SPEED * speed, chosen.pitch)
        samples = np.frombuffer(pcm, np.int16).astype(np.float32)
        return with_pause(as_loud(at_rate(samples, _RATE)), clause, speed)
