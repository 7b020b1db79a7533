"""Recognition by Whisper on CTranslate2."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Iterator, Optional

import numpy as np
from faster_whisper import WhisperModel
from faster_whisper.vad import VadOptions, get_speech_timestamps

from .audio import RATE
from .errors import bad_request

_WINDOW_SECONDS = 30
#: Around the speech that the detector finds: it starts late at soft consonants.
_PAD_SECONDS = 0.3
_VAD = VadOptions(threshold=0.5, min_speech_duration_ms=100, min_silence_duration_ms=1000, speech_pad_ms=200)


@dataclass(frozen=True)
class Segment:
    start: float
    end: float
    text: str
    no_speech_prob: float
    avg_logprob: float


@dataclass(frozen=True)
class Transcript:
    language: str
    duration: float
    segments: Iterator[Segment]


class Whisper:
    def __init__(self, folder: Path, threads: int, workers: int) -> None:
        self._model = WhisperModel(
            str(folder), device="cpu", compute_type="int8", cpu_threads=threads, num_workers=workers, local_files_only=True
        )
        self._languages = set(self._model.supported_languages)

    def language(self, name: Optional[str]) -> Optional[str]:
        """The code that the model takes for `en`, `EN` or `en-US`; None lets the model detect it."""
        if not name:
            return None
        code = name.strip().lower().replace("_", "-").split("-")[0]
        if code not in self._languages:
            raise bad_request(f"The model does not know the language {name}.", "language", "language_not_supported")
        return code

    def transcribe(self, audio: np.ndarray, language: Optional[str], prompt: Optional[str]) -> Transcript:
        duration = len(audio) / RATE
        speech = get_speech_timestamps(audio, _VAD)
        if not speech:
            return Transcript(language or "", duration, iter(()))
        # Silence at the ends costs time and makes Whisper invent words.
        pad = int(_PAD_SECONDS * RATE)
        start = max(0, speech[0]["start"] - pad)
        end = min(len(audio), speech[-1]["end"] + pad)
        is_long = end - start > _WINDOW_SECONDS * RATE
        segments, info = self._model.transcribe(
            audio[start:end],
            language=language,
            beam_size=1,
            temperature=0.0,
            initial_prompt=prompt,
            condition_on_previous_text=False,
            without_timestamps=not is_long,
            vad_filter=is_long,
            vad_parameters=_VAD,
        )
        return Transcript(info.language, duration, self._segments(segments, start / RATE))

    @staticmethod
    def _segments(segments, offset: float) -> Iterator[Segment]:
        for segment in segments:
            text = segment.text.strip()
            if text and not _is_invented(segment):
                yield Segment(
                    segment.start + offset, segment.end + offset, text, segment.no_speech_prob, segment.avg_logprob
                )


def _is_invented(segment) -> bool:
    """Text that Whisper makes up for noise and music: it doubts that there is speech, or repeats itself."""
    return (segment.no_speech_prob > 0.6 and segment.avg_logprob < -0.7) or segment.compression_ratio > 2.8
