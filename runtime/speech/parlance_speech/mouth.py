"""What every engine for speech can do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import List, Optional

import numpy as np

from .errors import bad_request
from .lane import Stop
from .text import prepare

#: `pcm` of OpenAI's protocol.
RATE = 24_000
#: Clients that know the protocol alone name one of these.
OPENAI_VOICES = ("alloy", "ash", "ballad", "coral", "echo", "fable", "nova", "onyx", "sage", "shimmer", "verse")


_SILENT = 0.004
_LEAD_SECONDS = 0.02
_PAUSES = {",": 0.12, ";": 0.2, ":": 0.2, "—": 0.2, "–": 0.2}
_SENTENCE_PAUSE = 0.3
_TAIL_SECONDS = 0.08
_PEAK = 0.7


def with_pause(audio: np.ndarray, clause: str, speed: float) -> np.ndarray:
    """Without the silence around the sound, and with the pause that belongs behind this clause: engines differ in both."""
    loud = np.flatnonzero(np.abs(audio) > _SILENT)
    if loud.size == 0:
        return audio[:0]
    pause = _PAUSES.get(clause[-1], _SENTENCE_PAUSE if clause[-1] in ".!?…" else 0.0) / speed
    first = max(0, int(loud[0]) - int(_LEAD_SECONDS * RATE))
    last = min(audio.size, int(loud[-1]) + int(_TAIL_SECONDS * RATE))
    quiet = max(0, int((pause - _TAIL_SECONDS) * RATE))
    return np.concatenate([audio[first:last], np.zeros(quiet, np.float32)])


def at_rate(samples: np.ndarray, rate: int) -> np.ndarray:
    """At `RATE`. A clause begins and ends with silence, so that its spectrum can be padded or cut."""
    if rate == RATE or samples.size == 0:
        return samples
    count = round(len(samples) * RATE / rate)
    return (np.fft.irfft(np.fft.rfft(samples), count) * (count / len(samples))).astype(np.float32)


def as_loud(samples: np.ndarray) -> np.ndarray:
    """As loud as the other voices."""
    peak = np.abs(samples).max(initial=0.0)
    return samples * (_PEAK / peak) if peak > 0 else samples


def primary(language: str) -> str:
    """`de` of `de-AT`."""
    return language.strip().lower().replace("_", "-").split("-")[0]


class Mouth(ABC):
    rate = RATE
    #: It comes after every other voice of the same language.
    sounds_like_a_machine = False

    @property
    @abstractmethod
    def voices(self) -> List[str]: ...

    @abstractmethod
    def voice(self, name: Optional[str]) -> str:
        """The voice of this name; without one, the engine's usual voice. @raises ApiError"""

    @abstractmethod
    def language(self, voice: str) -> str: ...

    @abstractmethod
    def speak(self, clause: str, voice: str, speed: float, stop: Optional[Stop] = None) -> np.ndarray:
        """Samples at `RATE`. @raises Stopped"""

    def voice_of(self, language: str) -> Optional[str]:
        """A voice that speaks this language, of its region where there is one."""
        code = language.strip().lower().replace("_", "-")
        speaking = [voice for voice in self.voices if primary(self.language(voice)) == primary(code)]
        return next((voice for voice in speaking if self.language(voice).lower() == code), next(iter(speaking), None))

    def prepare(self, text: str, voice: str) -> str:
        return prepare(text, self.language(voice))

    def _unknown(self, name: Optional[str]) -> Exception:
        return bad_request(f"There is no voice {name}: use one of {', '.join(self.voices)}.", "voice", "voice_not_found")
