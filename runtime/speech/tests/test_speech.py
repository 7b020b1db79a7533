"""Recognition and speech with the real models."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Dict

import numpy as np
import pytest

from parlance_speech.audio import RATE, decode
from parlance_speech.engines import Engines
from parlance_speech.errors import ApiError
from parlance_speech.lane import Stop, Stopped
from parlance_speech.piper import Piper

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


def test_speaks_german_that_recognition_understands(engines: Engines) -> None:
    _, mouth, voice = engines.speaker("tts-1", "alloy", "de")
    audio = mouth.speak("Ihr Termin ist am Montag.", voice, 1.0)
    assert "montag" in heard(engines, at_16_khz(audio), "de")


@pytest.mark.skipif(sys.platform != "linux", reason="Pico runs on Linux")
def test_speaks_german_by_pico_before_espeak_in_three_voices(engines: Engines) -> None:
    model, mouth, voice = engines.speaker("tts-1", None, "de")
    assert (model.name, voice) == ("svox-pico", "pico_de")
    for name in mouth.voices:
        model, mouth, voice = engines.speaker("tts-1", name, None)
        assert (model.name, voice) == ("svox-pico", name)
        assert "montag" in heard(engines, at_16_khz(mouth.speak("Ihr Termin ist am Montag.", voice, 1.0)), "de")
    with pytest.raises(ApiError, match="no voice pico_fr"):
        engines.speaker("tts-1", "pico_fr", None)


@pytest.mark.skipif(sys.platform != "linux", reason="Pico runs on Linux")
def test_hears_a_telephone_to_the_last_of_letters_that_are_spelled(engines: Engines) -> None:
    _, mouth, voice = engines.speaker("tts-1", "pico_de_bright", None)
    words = "L wie Ludwig, U wie Ulrich, K wie Kaufmann, A wie Anton, S wie Samuel."
    spectrum = np.fft.rfft(at_16_khz(mouth.speak(words, voice, 1.0)))
    # A telephone carries 4 of the 8 kHz.
    spectrum[len(spectrum) // 2 :] = 0
    audio = np.fft.irfft(spectrum).astype(np.float32)
    _, ears = engines.find("stt", None)
    last = list(ears.transcribe(audio, "de", None).segments)[-1]
    assert last.end > len(audio) / RATE - 0.5


def test_speaks_every_language_that_the_table_names(engines: Engines) -> None:
    spoken = {language for model in engines.models if model.kind == "tts" for language in model.languages}
    for language in sorted(spoken):
        _, mouth, voice = engines.speaker(None, None, language)
        audio = mouth.speak("Banana.", voice, 1.0)
        assert 0.2 < len(audio) / mouth.rate < 3 and np.abs(audio).max() > 0.05, language


class Vits:
    """A session that answers with as many samples as it gets signs."""

    inputs: Dict[str, np.ndarray] = {}

    def __init__(self, *_: object, **__: object) -> None:
        pass

    def get_inputs(self) -> list:
        return [SimpleNamespace(name=name) for name in ("input", "input_lengths", "scales", "sid")]

    def run(self, _: object, inputs: Dict[str, np.ndarray], __: object) -> list:
        Vits.inputs = inputs
        return [np.full((1, 1, 1, inputs["input"].shape[1] * 100), 0.5, np.float32)]


def test_gives_a_voice_of_piper_its_signs_and_takes_any_rate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlance_speech.piper.onnxruntime.InferenceSession", Vits)
    config = {
        "espeak": {"voice": "de"},
        "audio": {"sample_rate": 16000},
        "phoneme_id_map": {"^": [1], "_": [0], "$": [2], "j": [3], "ɑ": [4], ".": [5]},
    }
    (tmp_path / "model.onnx.json").write_text(json.dumps(config), encoding="utf-8")
    voice = Piper("thorsten", tmp_path, 1)
    audio = voice.speak("Ja.", "thorsten", 2.0)
    assert Vits.inputs["input"].tolist() == [[1, 0, 3, 0, 4, 0, 5, 0, 2]]
    assert Vits.inputs["scales"].tolist()[1] == 0.5
    assert len(audio) > 900 * 24000 / 16000
    assert (voice.voice_of("de-AT"), voice.voice_of("en"), voice.voice("alloy")) == ("thorsten", None, "thorsten")
    assert voice.speak("…", "thorsten", 1.0).size == 0


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
