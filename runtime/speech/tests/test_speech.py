"""Recognition and speech with the real models."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from parlance_speech.audio import RATE, decode
from parlance_speech.engines import Engines
from parlance_speech.errors import ApiError
from parlance_speech.lane import Stop, Stopped

from test_audio import wav

SENTENCES = Path(__file__).resolve().parent.parent / "bench" / "sentences.txt"
SENTENCE_WORDS = ("call", "dentist", "monday", "morning")


def heard(engines: Engines, audio: np.ndarray, language: str = "en") -> str:
    _, ears = engines.find("stt", None)
    return " ".join(segment.text for segment in ears.transcribe(audio, language, None).segments).lower()


def at_16_khz(audio: np.ndarray, channels: int = 1) -> np.ndarray:
    return decode(wav(audio, 24000, channels), 300)


def test_hears_what_it_says(engines: Engines, spoken: np.ndarray) -> None:
    text = heard(engines, at_16_khz(spoken))
    assert all(word in text for word in SENTENCE_WORDS)


def test_hears_clipped_speech_in_stereo(engines: Engines, spoken: np.ndarray) -> None:
    text = heard(engines, at_16_khz(np.clip(spoken * 8, -1, 1), channels=2))
    assert all(word in text for word in SENTENCE_WORDS)


@pytest.mark.parametrize("kind", ["digital silence", "noise", "music", "a click"])
def test_hears_no_words_where_nobody_speaks(engines: Engines, kind: str) -> None:
    time = np.arange(RATE * 6) / RATE
    audio = np.zeros(len(time), np.float32)
    if kind == "noise":
        audio = (np.random.default_rng(7).standard_normal(len(time)) * 0.05).astype(np.float32)
    if kind == "music":
        for index, pitch in enumerate((262, 330, 392, 523, 392, 330) * 2):
            note = slice(index * RATE // 2, (index + 1) * RATE // 2)
            chord = sum(np.sin(2 * np.pi * pitch * part * time[note]) / part for part in (1, 2, 3))
            audio[note] = 0.2 * chord * np.exp(-3 * (time[note] - time[note][0]))
    if kind == "a click":
        audio[RATE : RATE + 40] = 1.0
    assert heard(engines, audio) == ""


def test_hears_all_of_40_seconds_without_a_pause(engines: Engines) -> None:
    _, mouth = engines.find("tts", None)
    sentences = SENTENCES.read_text(encoding="utf-8").splitlines()[:60:4]
    # Without its final stop, a sentence ends without a pause.
    audio = at_16_khz(np.concatenate([mouth.speak(line.rstrip(".?!"), "af_heart", 1.0) for line in sentences]))
    assert len(audio) > 38 * RATE
    text = heard(engines, audio)
    assert all(word in text for word in ("appointment", "billing", "hotel", "battery", "internet", "railway"))


def test_detects_the_language_when_none_is_named(engines: Engines, spoken: np.ndarray) -> None:
    _, ears = engines.find("stt", None)
    assert ears.transcribe(at_16_khz(spoken), None, None).language == "en"


def test_knows_languages_by_code_and_by_tag(engines: Engines) -> None:
    _, ears = engines.find("stt", None)
    assert (ears.language("en-US"), ears.language("DE"), ears.language(None)) == ("en", "de", None)
    with pytest.raises(ApiError, match="klingon"):
        ears.language("klingon")


@pytest.mark.parametrize("voice", ["am_michael", "bf_emma", "ef_dora", "ff_siwis", "if_sara", "pf_dora", "hf_alpha"])
def test_has_a_voice_for_each_language(engines: Engines, voice: str) -> None:
    _, mouth = engines.find("tts", None)
    audio = mouth.speak("Banana.", voice, 1.0)
    assert 0.2 < len(audio) / mouth.rate < 3
    assert np.abs(audio).max() > 0.05


def test_begins_with_sound_and_not_with_silence(engines: Engines, spoken: np.ndarray) -> None:
    _, mouth = engines.find("tts", None)
    assert np.abs(spoken[: int(0.1 * mouth.rate)]).max() > 0.01


def test_speaks_faster_at_a_higher_speed(engines: Engines, spoken: np.ndarray) -> None:
    _, mouth = engines.find("tts", None)
    faster = mouth.speak("Please call the dentist on Monday morning.", mouth.voice(None), 1.5)
    assert len(faster) < 0.85 * len(spoken)


def test_stops_speaking_when_nobody_listens_any_more(engines: Engines) -> None:
    _, mouth = engines.find("tts", None)
    stop = Stop()
    stop.set()
    with pytest.raises(Stopped):
        mouth.speak("Please call the dentist on Monday morning.", mouth.voice(None), 1.0, stop)


def test_tells_a_finished_sentence_from_one_that_was_cut_off(engines: Engines) -> None:
    _, mouth = engines.find("tts", None)
    _, turns = engines.find("turn", None)
    whole = mouth.speak("Hello, I would like to make an appointment for next week.", "af_heart", 1.0)
    cut = whole[: int(0.5 * len(whole))]
    silence = np.zeros(int(0.16 * mouth.rate), np.float32)
    finished = [turns.finished(at_16_khz(np.concatenate([audio, silence])), Stop()) for audio in (whole, cut)]
    assert finished[0] > 0.5 > finished[1]
