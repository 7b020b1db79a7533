"""Speaks a sentence and listens to it: the proof that an installation works."""

from __future__ import annotations

import io
import json
import time
import wave

import numpy as np

from . import audio
from .engines import Engines
from .metrics import Metrics
from .mouth import Mouth
from .recognition import Whisper
from .settings import Settings
from .text import clauses

_SENTENCE = "Hello, thank you for calling. How can I help you today?"


def try_out(settings: Settings) -> None:
    """Prints one JSON object: what was heard, and how long each part took."""
    started = time.monotonic()
    engines = Engines(settings, Metrics())
    engines.load()
    loaded = time.monotonic()
    _, mouth = engines.find("tts", None)
    _, ears = engines.find("stt", None)
    assert isinstance(mouth, Mouth) and isinstance(ears, Whisper)
    voice = mouth.voice(None)
    first = None
    spoken = []
    for clause in clauses(mouth.prepare(_SENTENCE, voice), mouth.language(voice)):
        spoken.append(mouth.speak(clause, voice, 1.0))
        first = first or time.monotonic()
    said = time.monotonic()
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(mouth.rate)
        sound.writeframes(audio.to_pcm(np.concatenate(spoken)))
    heard = list(ears.transcribe(audio.decode(file.getvalue(), 60), "en", None).segments)
    ended = time.monotonic()

    def milliseconds(start: float, end: float) -> int:
        return round((end - start) * 1000)

    print(
        json.dumps(
            {
                "spoken": _SENTENCE,
                "heard": " ".join(segment.text for segment in heard),
                "load_ms": milliseconds(started, loaded),
                "first_sound_ms": milliseconds(loaded, first or said),
                "speech_ms": milliseconds(loaded, said),
                "recognition_ms": milliseconds(said, ended),
            }
        )
    )
