"""Decoding of what clients send, and encoding of what is spoken."""

from __future__ import annotations

import io
import struct

import av
import numpy as np

from .errors import bad_request

#: Whisper and the voice activity detector take 16 kHz.
RATE = 16_000


def decode(data: bytes, max_seconds: int) -> np.ndarray:
    """Any container and codec of FFmpeg, any rate and number of channels, as 16 kHz mono floats."""
    limit = max_seconds * RATE
    blocks = []
    samples = 0
    try:
        with av.open(io.BytesIO(data), mode="r", metadata_errors="ignore") as container:
            if not container.streams.audio:
                raise bad_request("The file has no audio.", "file", "invalid_audio")
            # FFmpeg adds channels up when it makes one of them, and loud stereo would be clipped.
            resampler = av.AudioResampler(format="fltp", rate=RATE)
            for frame in container.decode(audio=0):
                frame.pts = None
                for resampled in resampler.resample(frame):
                    blocks.append(resampled.to_ndarray().mean(axis=0))
                    samples += resampled.samples
                if samples > limit:
                    raise bad_request(f"The audio is longer than {max_seconds} s.", "file", "audio_too_long")
            for resampled in resampler.resample(None):
                blocks.append(resampled.to_ndarray().mean(axis=0))
    except (av.FFmpegError, ValueError, EOFError) as error:
        # A file that was cut off ends with an error: what came before it is audio all the same.
        if samples == 0:
            raise bad_request(
                "The file is not audio that can be decoded: send a WAV file, for example.", "file", "invalid_audio"
            ) from error
    if not blocks:
        raise bad_request("The file has no audio.", "file", "invalid_audio")
    audio = np.concatenate(blocks)
    return np.nan_to_num(np.clip(audio, -1.0, 1.0))


def to_pcm(audio: np.ndarray) -> bytes:
    """16-bit little-endian samples."""
    return (np.clip(audio, -1.0, 1.0) * 32767).astype("<i2").tobytes()


def wav_header(rate: int) -> bytes:
    """A header for a stream of unknown length, 16-bit mono."""
    unknown = 0xFFFFFFFF
    return struct.pack(
        "<4sI4s4sIHHIIHH4sI",
        b"RIFF", unknown, b"WAVE", b"fmt ", 16, 1, 1, rate, rate * 2, 2, 16, b"data", unknown,
    )  # fmt: skip
