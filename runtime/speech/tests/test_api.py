"""The HTTP interface, with an engine that needs no model."""

from __future__ import annotations

import asyncio
import json
import logging
from dataclasses import replace
from typing import Any, Dict, List, Optional

import httpx
import numpy as np
import pytest

from parlance_speech.app import Api
from parlance_speech.engines import Engines
from parlance_speech.espeak import Espeak
from parlance_speech.kokoro import Kokoro
from parlance_speech.metrics import Metrics
from parlance_speech.settings import Settings
from parlance_speech.turn import SmartTurn

from conftest import KEY
from test_audio import wav

AUTHORIZED = {"Authorization": f"Bearer {KEY}"}


class Tone(Kokoro):
    """A tenth of a second of sound for each clause."""

    def __init__(self) -> None:
        self.said: List[str] = []
        self._styles = {"af_heart": np.zeros(1), "bf_emma": np.zeros(1), "ff_siwis": np.zeros(1)}
        self.voices_used: List[str] = []

    def speak(self, clause: str, voice: str, speed: float, stop: Any = None) -> np.ndarray:
        if "explode" in clause:
            raise RuntimeError("secret words: explode")
        self.said.append(clause)
        self.voices_used.append(voice)
        return np.full(2400, 0.5, np.float32)


class Machine(Espeak):
    def __init__(self) -> None:
        self._languages = ["en", "de"]
        self.voices_used: List[str] = []

    def speak(self, clause: str, voice: str, speed: float, stop: Any = None) -> np.ndarray:
        self.voices_used.append(voice)
        return np.full(2400, 0.25, np.float32)


class Melody(SmartTurn):
    """Sure of itself when there is sound at the end."""

    def __init__(self) -> None:
        pass

    def finished(self, audio: np.ndarray, stop: Any) -> float:
        return 0.25 if np.abs(audio[-100:]).max() > 0.1 else 0.75


class Service:
    def __init__(self, settings: Settings) -> None:
        self.metrics = Metrics()
        self.engines = Engines(settings, self.metrics)
        self.tone = Tone()
        self.engines._loaded["kokoro-82m"] = self.tone
        self.machine = Machine()
        self.engines._loaded["espeak-ng"] = self.machine
        self.engines._loaded["smart-turn-v3.2"] = Melody()
        self.app = Api(settings, self.engines, self.metrics).app()

    def send(self, method: str, path: str, headers: Optional[Dict[str, str]] = None, **options: Any) -> httpx.Response:
        async def request() -> httpx.Response:
            transport = httpx.ASGITransport(app=self.app)
            async with httpx.AsyncClient(transport=transport, base_url="http://speech") as client:
                return await client.request(method, path, headers=AUTHORIZED if headers is None else headers, **options)

        return asyncio.run(request())

    def speak(self, **body: Any) -> httpx.Response:
        return self.send("POST", "/v1/audio/speech", json={"model": "tts-1", "voice": "af_heart", **body})


@pytest.fixture()
def service(settings: Settings) -> Service:
    return Service(settings)


def test_refuses_a_request_without_the_key_in_the_shape_that_openai_clients_parse(service: Service) -> None:
    for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": KEY}, {"Authorization": "Bearer ü"}):
        encoded = {name: value.encode() for name, value in headers.items()}
        response = service.send("GET", "/v1/models", headers=encoded)  # type: ignore[arg-type]
        assert response.status_code == 401
        assert response.json()["error"]["code"] == "invalid_api_key"


def test_speaks_every_clause_as_24_khz_samples(service: Service) -> None:
    response = service.speak(input="Hello there, my friend. How are you?", response_format="pcm")
    assert response.status_code == 200
    assert response.headers["content-type"] == "audio/pcm;rate=24000"
    assert service.tone.said == ["Hello there,", "my friend.", "How are you?"]
    assert len(response.content) == 3 * 2400 * 2


@pytest.mark.parametrize(
    ("language", "voice"), [("en", "af_heart"), ("en-GB", "af_heart"), ("fr-CA", "ff_siwis"), ("FR", "ff_siwis")]
)
def test_speaks_with_a_voice_of_the_language_of_the_text(service: Service, language: str, voice: str) -> None:
    assert service.speak(input="Bonjour.", language=language, response_format="pcm").status_code == 200
    assert service.tone.voices_used == [voice]
    assert service.machine.voices_used == []


def test_speaks_a_language_without_a_neural_voice_with_espeak_ng(service: Service) -> None:
    response = service.speak(input="Guten Tag.", language="de-AT", response_format="pcm")
    assert response.status_code == 200
    assert service.machine.voices_used == ["de"]
    assert service.tone.said == []


def test_refuses_a_language_that_no_voice_speaks_instead_of_reading_it_as_another(service: Service) -> None:
    error = service.speak(input="こんにちは。", language="ja").json()["error"]
    assert error["code"] == "language_not_supported"
    assert error["message"].startswith("No installed voice speaks ja: run `npm run voice:setup -- --languages ja`")


def test_streams_a_wav_file_that_begins_with_its_header(service: Service) -> None:
    content = service.speak(input="Hello.", response_format="wav").content
    assert content[:4] == b"RIFF" and content[8:12] == b"WAVE"
    assert len(content) == 44 + 2400 * 2


def test_answers_a_text_without_words_with_silence(service: Service) -> None:
    assert service.speak(input="...", response_format="pcm").content == b""


@pytest.mark.parametrize(
    ("body", "param"),
    [
        ({"input": ""}, "input"),
        ({"input": 7}, "input"),
        ({"input": "x" * 5000}, "input"),
        ({"input": "Hi.", "voice": "nobody"}, "voice"),
        ({"input": "Hi.", "response_format": "mp3"}, "response_format"),
        ({"input": "Hi.", "speed": 9}, "speed"),
        ({"input": "Hi.", "speed": True}, "speed"),
    ],
)
def test_names_the_parameter_that_is_wrong(service: Service, body: Dict[str, Any], param: str) -> None:
    response = service.speak(**body)
    assert response.status_code == 400
    assert response.json()["error"]["param"] == param


def test_says_how_sure_it_is_that_a_turn_is_over(service: Service) -> None:
    for level, finished in ((0.5, 0.25), (0.0, 0.75)):
        file = wav(np.full(8000, level, np.float32), 16000)
        response = service.send("POST", "/v1/audio/turns", content=file)
        assert response.json() == {"model": "smart-turn-v3.2", "finished": finished}
    assert service.send("POST", "/v1/audio/turns", content=b"no audio").status_code == 400


def test_answers_404_for_the_end_of_turn_where_its_model_is_not_installed(service: Service) -> None:
    service.engines.models = [model for model in service.engines.models if model.kind != "turn"]
    assert service.send("POST", "/v1/audio/turns", content=b"").status_code == 404


def test_speaks_in_the_background_what_nobody_waits_for(service: Service) -> None:
    urgencies = []
    lane = service.engines.lanes["tts"]
    run_in_background = lane.run_in_background

    async def recorded(work: Any) -> Any:
        urgencies.append("background")
        return await run_in_background(work)

    lane.run_in_background = recorded  # type: ignore[method-assign]
    for priority in ("u=7", "i, u=7", "u=3", ""):
        headers = {**AUTHORIZED, "Priority": priority}
        body = {"model": "tts-1", "voice": "af_heart", "input": "Hello."}
        assert service.send("POST", "/v1/audio/speech", headers=headers, json=body).status_code == 200
    assert urgencies == ["background", "background"]


def test_refuses_a_model_that_is_not_there(service: Service) -> None:
    response = service.speak(input="Hi.", model="gpt-9-tts")
    assert response.status_code == 404
    assert response.json()["error"]["code"] == "model_not_found"


def test_answers_503_while_models_are_being_loaded(service: Service) -> None:
    response = service.send("POST", "/v1/audio/transcriptions", files={"file": b"RIFF"}, data={"model": "whisper-1"})
    assert response.status_code == 503
    assert response.headers["retry-after"] == "2"
    health = service.send("GET", "/health", headers={})
    assert health.status_code == 503
    is_loaded = {model["name"]: model["loaded"] for model in health.json()["models"]}
    assert is_loaded["whisper-base"] is False
    loaded = {name for name, is_there in is_loaded.items() if is_there}
    assert loaded == {"kokoro-82m", "smart-turn-v3.2", "espeak-ng"}


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff\xfe"])
def test_refuses_a_body_that_is_no_json_object(service: Service, content: bytes) -> None:
    assert service.send("POST", "/v1/audio/speech", content=content).status_code == 400


def test_refuses_a_body_that_is_larger_than_the_limit(settings: Settings) -> None:
    service = Service(replace(settings, max_body_bytes=1000))

    async def chunks():
        for _ in range(20):
            yield b" " * 100

    for content in (b" " * 2000, chunks()):
        response = service.send("POST", "/v1/audio/speech", content=content)
        assert response.status_code == 413


def test_refuses_a_form_that_cannot_be_read(service: Service) -> None:
    for headers in ({}, {"Content-Type": "multipart/form-data"}, {"Content-Type": "multipart/form-data; boundary=x"}):
        response = service.send(
            "POST", "/v1/audio/transcriptions", headers={**AUTHORIZED, **headers}, content=b"no form"
        )
        assert response.status_code in (400, 404, 503)
        assert "error" in response.json()


def test_answers_429_with_a_time_to_retry_when_the_queue_is_full(service: Service, monkeypatch: Any) -> None:
    monkeypatch.setattr(type(service.engines.lanes["tts"]), "length", property(lambda _: 16))
    response = service.speak(input="Hello.")
    assert response.status_code == 429
    assert int(response.headers["retry-after"]) >= 1
    assert response.json()["error"]["type"] == "rate_limit_error"


def test_counts_requests_by_route_and_status(service: Service) -> None:
    service.speak(input="Hello.")
    service.speak(input="")
    text = service.send("GET", "/metrics", headers={}).text
    assert 'parlance_speech_requests_total{route="/v1/audio/speech",status="200"} 1.0' in text
    assert 'parlance_speech_requests_total{route="/v1/audio/speech",status="400"} 1.0' in text
    assert 'parlance_speech_audio_seconds_total{model="kokoro-82m"} 0.1' in text


def test_logs_no_word_that_was_spoken(service: Service, caplog: Any) -> None:
    from parlance_speech.log import JsonFormatter

    with caplog.at_level(logging.INFO, "parlance_speech"):
        service.speak(input="My card number is secret.")
        assert service.speak(input="Please explode.").status_code == 500
    lines = [JsonFormatter().format(record) for record in caplog.records]
    assert len(lines) == 3
    entries = [json.loads(line) for line in lines]
    assert entries[0]["characters"] == len("My card number is secret.")
    assert entries[1]["error"] == "RuntimeError"
    assert not any("secret" in line or "explode" in line for line in lines)


def test_answers_an_unknown_route_in_the_same_shape(service: Service) -> None:
    response = service.send("GET", "/v1/chat/completions")
    assert response.status_code == 404
    assert response.json()["error"]["type"] == "invalid_request_error"
