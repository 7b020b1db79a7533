from __future__ import annotations

import io
import struct
import wave

import numpy as np
import pytest

from parlance_speech.audio import RATE, decode, to_pcm, wav_header
from parlance_speech.errors import ApiError


def wav(audio: np.ndarray, rate: int, channels: int = 1) -> bytes:
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(channels)
        sound.setsampwidth(2)
        sound.setframerate(rate)
        sound.writeframes(to_pcm(np.repeat(audio, channels)))
    return file.getvalue()


def tone(seconds: float, rate: int) -> np.ndarray:
    return (0.5 * np.sin(2 * np.pi * 440 * np.arange(int(seconds * rate)) / rate)).astype(np.float32)


@pytest.mark.parametrize(("rate", "channels"), [(8000, 1), (16000, 1), (24000, 1), (44100, 2), (48000, 2)])
def test_decodes_any_rate_and_number_of_channels_to_16_khz(rate: int, channels: int) -> None:
    audio = decode(wav(tone(1.0, rate), rate, channels), 10)
    assert abs(len(audio) - RATE) < RATE * 0.02
    assert 0.4 < np.abs(audio[2000:-2000]).max() < 0.6


def test_decodes_mu_law_of_a_telephone() -> None:
    data = bytes([0xFF, 0x80, 0xFF, 0x00] * 4000)
    header = struct.pack("<4sI4s4sIHHIIHH4sI", b"RIFF", 36 + len(data), b"WAVE", b"fmt ", 16, 7, 1, 8000, 8000, 1, 8, b"data", len(data))
    assert abs(len(decode(header + data, 10)) - 2 * RATE) < RATE * 0.05


def test_decodes_a_stream_whose_header_does_not_know_its_length() -> None:
    data = wav_header(24000) + to_pcm(tone(1.0, 24000))
    assert abs(len(decode(data, 10)) - RATE) < RATE * 0.02


def test_decodes_what_is_left_of_a_file_that_was_cut_off() -> None:
    whole = wav(tone(2.0, 16000), 16000)
    audio = decode(whole[: len(whole) // 2], 10)
    assert 0.8 * RATE < len(audio) < 1.1 * RATE


def test_keeps_clipped_samples_within_bounds() -> None:
    audio = decode(wav(tone(1.0, 16000) * 20, 16000), 10)
    assert np.abs(audio).max() <= 1.0 and np.isfinite(audio).all()


@pytest.mark.parametrize(
    "data",
    [b"", b"RIFF", b"not audio at all " * 100, b"\x00" * 5000, b"<html><body>no</body></html>", wav(tone(1.0, 16000), 16000)[:30]],
    ids=["empty", "four bytes", "text", "zeros", "HTML", "half a header"],
)
def test_refuses_what_is_no_audio(data: bytes) -> None:
    with pytest.raises(ApiError) as refused:
        decode(data, 10)
    assert refused.value.status == 400
    assert refused.value.code == "invalid_audio"


def test_stops_decoding_at_the_limit() -> None:
    with pytest.raises(ApiError) as refused:
        decode(wav(tone(4.0, 8000), 8000), 3)
    assert refused.value.code == "audio_too_long"
