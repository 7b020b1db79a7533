"""Recognition by Whisper on CTranslate2."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Iterator, Optional

import ctranslate2
import numpy as np
from faster_whisper import WhisperModel
from faster_whisper.vad import VadOptions, get_speech_timestamps

from .audio import RATE
from .errors import bad_request

_WINDOW_SECONDS = 30
#: Around the speech that the detector finds: it starts late at soft consonants.
_PAD_SECONDS = 0.3
#: Whisper's encoder takes 30 s, most of it silence after a turn of a call. With this much silence it is as accurate and five times
#: as fast; with less it starts to invent words.
_MARGIN_FRAMES = 500
_FRAMES_PER_SECOND = 100
#: Faster speech than people's, in characters per second: the decoder has lost its place.
_FASTEST = 30
_VAD = VadOptions(threshold=0.5, min_speech_duration_ms=100, min_silence_duration_ms=1000, speech_pad_ms=200)
#: For the ends of what was found to be speech: the detector loses the last words of letters that are spelled with pauses.
_ENDS = VadOptions(threshold=0.2, min_speech_duration_ms=100, min_silence_duration_ms=1000, speech_pad_ms=200)


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


class _ShortWindow(WhisperModel):
    """Encodes only a part of the 30 s window, where a thread asks for it."""

    _local = threading.local()

    def use_frames(self, frames: Optional[int]) -> None:
        self._local.frames = frames

    def encode(self, features: np.ndarray) -> ctranslate2.StorageView:
        frames = getattr(self._local, "frames", None)
        if frames is not None and frames < features.shape[-1]:
            features = np.ascontiguousarray(features[..., :frames])
        return super().encode(features)


class Whisper:
    def __init__(self, folder: Path, workers: int) -> None:
        # A thread for each job: its parts are too small to share, and threads that wait for each other suffer most from other
        # work on the machine.
        self._model = _ShortWindow(
            str(folder), device="cpu", compute_type="int8", cpu_threads=1, num_workers=workers, local_files_only=True
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
        # Where the higher threshold finds speech, the lower one does.
        ends = get_speech_timestamps(audio, _ENDS)
        start = max(0, ends[0]["start"] - pad)
        end = min(len(audio), ends[-1]["end"] + pad)
        clip = audio[start:end]
        if len(clip) > _WINDOW_SECONDS * RATE:
            segments, info = self._run(clip, language, prompt, None, vad_filter=True, vad_parameters=_VAD)
            return Transcript(info.language, duration, self._segments(self._lazily(segments), start / RATE))
        frames = len(clip) * _FRAMES_PER_SECOND // RATE + _MARGIN_FRAMES
        # The encoder halves the number of frames.
        segments, info = self._run(clip, language, prompt, frames + frames % 2, without_timestamps=True)
        found = list(segments)
        if any(map(_is_doubtful, found)):
            segments, info = self._run(clip, language, prompt, None, without_timestamps=True)
            found = list(segments)
        return Transcript(info.language, duration, self._segments(found, start / RATE))

    def _run(self, clip: np.ndarray, language: Optional[str], prompt: Optional[str], frames: Optional[int], **options):
        self._model.use_frames(frames)
        return self._model.transcribe(
            clip,
            language=language,
            beam_size=1,
            temperature=0.0,
            initial_prompt=prompt,
            condition_on_previous_text=False,
            **options,
        )

    def _lazily(self, segments):
        """Each segment may be computed by another thread, which may have encoded a short clip before."""
        iterator = iter(segments)
        while True:
            self._model.use_frames(None)
            segment = next(iterator, None)
            if segment is None:
                return
            yield segment

    @staticmethod
    def _segments(segments, offset: float) -> Iterator[Segment]:
        for segment in segments:
            text = segment.text.strip()
            if text and not _is_invented(segment):
                yield Segment(
                    segment.start + offset, segment.end + offset, text, segment.no_speech_prob, segment.avg_logprob
                )


def _is_doubtful(segment) -> bool:
    seconds = max(segment.end - segment.start, 0.5)
    return segment.compression_ratio > 2.2 or segment.avg_logprob < -0.9 or len(segment.text) > _FASTEST * seconds


def _is_invented(segment) -> bool:
    """Text that Whisper makes up for noise and music: it doubts that there is speech, or repeats itself."""
    return (segment.no_speech_prob > 0.6 and segment.avg_logprob < -0.7) or segment.compression_ratio > 2.8
