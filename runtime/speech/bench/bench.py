"""
Measures a running speech service over HTTP: `npm run bench -- speech` starts one. Sentences are spoken by several voices and heard
again, clean and as a telephone would deliver them.
"""

from __future__ import annotations

import argparse
import io
import os
import statistics
import sys
import threading
import time
import wave
from pathlib import Path
from typing import Callable, Dict, List, Sequence, Tuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

try:
    import av
    import httpx
    import jiwer
    import numpy as np
    from whisper_normalizer.english import EnglishTextNormalizer
except ImportError as missing:
    sys.exit(f"The bench needs {missing.name}: run `npm run voice:setup -- --with-tests`.")

VOICES = ("af_heart", "am_michael", "bf_emma", "am_adam")
SPOKEN_RATE = 24_000


def percentile(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def milliseconds(value: float) -> str:
    return f"{value * 1000:.0f} ms"


def resampled(audio: np.ndarray, source: int, target: int) -> np.ndarray:
    resampler = av.AudioResampler(format="flt", layout="mono", rate=target)
    frame = av.AudioFrame.from_ndarray(audio[None], format="flt", layout="mono")
    frame.sample_rate = source
    frames = [*resampler.resample(frame), *resampler.resample(None)]
    return np.concatenate([part.to_ndarray()[0] for part in frames])


def with_mu_law(audio: np.ndarray) -> np.ndarray:
    """What is left of audio after G.711."""
    mu = 255
    compressed = np.sign(audio) * np.log1p(mu * np.abs(np.clip(audio, -1, 1))) / np.log1p(mu)
    steps = np.round((compressed + 1) / 2 * mu) / mu * 2 - 1
    return (np.sign(steps) * ((1 + mu) ** np.abs(steps) - 1) / mu).astype(np.float32)


def with_noise(audio: np.ndarray, decibels: float) -> np.ndarray:
    noise = np.random.default_rng(1).standard_normal(len(audio)).astype(np.float32)
    loud = audio[np.abs(audio) > 0.01]
    power = float(np.sqrt(np.mean(loud**2))) if loud.size else 0.0
    return audio + noise * power / 10 ** (decibels / 20)


def wav(audio: np.ndarray, rate: int) -> bytes:
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(rate)
        sound.writeframes((np.clip(audio, -1, 1) * 32767).astype("<i2").tobytes())
    return file.getvalue()


def telephone(audio: np.ndarray) -> bytes:
    return wav(with_mu_law(resampled(audio, SPOKEN_RATE, 8000)), 8000)


CHANNELS: Dict[str, Callable[[np.ndarray], bytes]] = {
    "16 kHz": lambda audio: wav(resampled(audio, SPOKEN_RATE, 16_000), 16_000),
    "8 kHz mu-law": telephone,
    "8 kHz mu-law, noise at 10 dB": lambda audio: telephone(with_noise(audio, 10)),
}


class Client:
    def __init__(self) -> None:
        headers = {"Authorization": f"Bearer {os.environ['SPEECH_KEY']}"}
        self._http = httpx.Client(base_url=os.environ["SPEECH_BASE_URL"], headers=headers, timeout=120)

    def models(self, kind: str) -> List[str]:
        root = os.environ["SPEECH_BASE_URL"].rsplit("/v1", 1)[0]
        return [model["name"] for model in httpx.get(f"{root}/health").json()["models"] if model["kind"] == kind]

    def memory(self, name: str) -> float:
        root = os.environ["SPEECH_BASE_URL"].rsplit("/v1", 1)[0]
        lines = httpx.get(f"{root}/metrics").text.splitlines()
        return float(next(line for line in lines if line.startswith(f"{name} ")).split()[1])

    def speak(self, text: str, voice: str) -> Tuple[np.ndarray, float, float]:
        """The audio, the time to its first bytes, and the time to its last."""
        body = {"model": "tts-1", "input": text, "voice": voice, "response_format": "pcm"}
        started = time.monotonic()
        first = 0.0
        blocks: List[bytes] = []
        with self._http.stream("POST", "/audio/speech", json=body) as response:
            response.raise_for_status()
            for block in response.iter_bytes():
                first = first or time.monotonic() - started
                blocks.append(block)
        samples = np.frombuffer(b"".join(blocks), "<i2").astype(np.float32) / 32768
        return samples, first, time.monotonic() - started

    def hear(self, file: bytes, model: str) -> Tuple[str, float]:
        started = time.monotonic()
        form = {"model": model, "language": "en", "response_format": "json"}
        response = self._http.post("/audio/transcriptions", data=form, files={"file": ("turn.wav", file)})
        response.raise_for_status()
        return response.json()["text"], time.monotonic() - started


def row(*cells: str) -> None:
    print(f"| {' | '.join(cells)} |", flush=True)


def table(*header: str) -> None:
    print()
    row(*header)
    row(*("---" for _ in header))


def bench_speech(client: Client, sentences: List[str]) -> List[np.ndarray]:
    client.speak("Ready.", VOICES[0])
    spoken = [client.speak(text, VOICES[index % len(VOICES)]) for index, text in enumerate(sentences)]
    audio = [samples for samples, _, _ in spoken]
    seconds = sum(map(len, audio)) / SPOKEN_RATE
    first = [time_ for _, time_, _ in spoken]
    table("speech", "p50", "p95")
    row("time to first sound", milliseconds(percentile(first, 0.5)), milliseconds(percentile(first, 0.95)))
    factors = [took / (len(samples) / SPOKEN_RATE) for samples, _, took in spoken]
    row("real-time factor", f"{percentile(factors, 0.5):.2f}", f"{percentile(factors, 0.95):.2f}")
    print(f"\n{len(sentences)} sentences, {seconds:.0f} s of speech.")
    return audio


def bench_recognition(client: Client, sentences: List[str], audio: List[np.ndarray]) -> None:
    normalize = EnglishTextNormalizer()
    expected = [normalize(text) for text in sentences]
    table("model", "channel", "word error rate", "recognition p50", "p95")
    for model in client.models("stt"):
        for channel, deliver in CHANNELS.items():
            heard = [client.hear(deliver(samples), model) for samples in audio]
            errors = jiwer.wer(expected, [normalize(text) for text, _ in heard])
            times = [took for _, took in heard]
            row(model, channel, f"{errors:.3f}", milliseconds(percentile(times, 0.5)), milliseconds(percentile(times, 0.95)))


def turns(client: Client, model: str, files: List[bytes], sentences: List[str], callers: int, rounds: int) -> List[float]:
    """Callers who speak, are heard and answered, and listen to the answer before they speak again."""
    taken: List[float] = []

    def call(index: int) -> None:
        for step in range(rounds):
            at = (index * rounds + step) % len(files)
            _, recognized = client.hear(files[at], model)
            samples, first, whole = client.speak(sentences[at], VOICES[index % len(VOICES)])
            taken.append(recognized + first)
            time.sleep(max(0.0, len(samples) / SPOKEN_RATE - whole))

    threads = [threading.Thread(target=call, args=(index,)) for index in range(callers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return taken


def bench_calls(client: Client, sentences: List[str], audio: List[np.ndarray], most: int) -> None:
    model = client.models("stt")[0]
    files = [telephone(samples) for samples in audio]
    table("calls at once", "heard and answered p50", "p95")
    alone = 0.0
    for callers in (number for number in (1, 2, 3, 4, 6, 8, 12, 16) if number <= most):
        taken = turns(client, model, files, sentences, callers, max(2, 12 // callers))
        late = percentile(taken, 0.95)
        row(str(callers), milliseconds(statistics.median(taken)), milliseconds(late))
        alone = alone or late
        if late > 2 * alone:
            print(f"\np95 has more than doubled at {callers} calls.")
            break


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--sentences", type=int, default=100)
    parser.add_argument("--calls", type=int, default=8)
    options = parser.parse_args()
    file = Path(__file__).with_name("sentences.txt")
    sentences = file.read_text(encoding="utf-8").splitlines()[: options.sentences]
    client = Client()
    audio = bench_speech(client, sentences)
    bench_recognition(client, sentences, audio)
    bench_calls(client, sentences, audio, options.calls)
    now, peak = (client.memory(name) / 1e6 for name in ("process_resident_memory_bytes", "parlance_speech_peak_memory_bytes"))
    print(f"\nMemory of the service: {now:.0f} MB, at most {peak:.0f} MB.")


if __name__ == "__main__":
    main()
