"""The HTTP interface: OpenAI's audio routes, health and metrics."""

from __future__ import annotations

import asyncio
import hmac
import json
import re
import time
from dataclasses import asdict
from typing import AsyncIterator, Awaitable, Callable, Dict, List, Optional, TypeVar

import numpy as np
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.applications import Starlette
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from . import audio
from .engines import Engines
from .errors import ApiError, bad_request
from .lane import Stop
from .log import log, logger
from .metrics import Metrics
from .recognition import Segment, Transcript, Whisper
from .settings import Settings
from .text import clauses
from .turn import SmartTurn

T = TypeVar("T")

#: A client on the same machine sends a turn of speech in milliseconds.
_BODY_SECONDS = 30
_MAX_PROMPT_CHARACTERS = 1000
_FORMATS = ("json", "text", "verbose_json")
#: RFC 9218: the least urgent. Nobody listens to it yet.
_BACKGROUND = re.compile(r"(?:^|,)\s*u=7\s*(?:,|$)")


class Api:
    def __init__(self, settings: Settings, engines: Engines, metrics: Metrics) -> None:
        self._settings = settings
        self._engines = engines
        self._metrics = metrics
        # Speech of a caller never touches the disk.
        MultiPartParser.spool_max_size = settings.max_body_bytes

    def app(self) -> Starlette:
        routes = [
            Route("/v1/audio/transcriptions", self._guarded(self._transcriptions), methods=["POST"]),
            Route("/v1/audio/turns", self._guarded(self._turns), methods=["POST"]),
            Route("/v1/audio/speech", self._guarded(self._speech), methods=["POST"]),
            Route("/v1/models", self._guarded(self._models), methods=["GET"]),
            Route("/health", self._health, methods=["GET"]),
            Route("/metrics", self._show_metrics, methods=["GET"]),
        ]
        return Starlette(routes=routes, exception_handlers={HTTPException: _http_error, ApiError: _api_error})

    def _guarded(self, handler: Callable) -> Callable:
        """Checks the key, counts and logs the request, and turns every failure into OpenAI's shape."""

        async def handle(request: Request) -> Response:
            started = time.monotonic()
            fields: Dict[str, object] = {}
            request.state.fields = fields
            request.state.started = started
            try:
                self._authenticate(request)
                response = await handler(request)
            except ApiError as error:
                response = error.response()
            except ClientDisconnect:
                response = Response(status_code=499)
            except Exception:  # noqa: BLE001
                logger.exception("request failed", extra={"fields": {"route": request.url.path}})
                response = ApiError(500, "The speech service failed: its log has the reason.").response()
            self._metrics.requests.labels(route=request.url.path, status=response.status_code).inc()
            log(
                "request",
                route=request.url.path,
                status=response.status_code,
                ms=round((time.monotonic() - started) * 1000),
                **fields,
            )
            return response

        return handle

    def _authenticate(self, request: Request) -> None:
        scheme, _, sent = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not hmac.compare_digest(sent.encode(), self._settings.key.encode()):
            raise ApiError(
                401,
                "The bearer key is missing or wrong.",
                code="invalid_api_key",
                headers={"WWW-Authenticate": "Bearer"},
            )

    async def _body(self, request: Request) -> bytes:
        limit = self._settings.max_body_bytes
        too_large = ApiError(413, f"The request is larger than {limit} bytes.", code="request_too_large")
        length = request.headers.get("content-length", "")
        if length.isascii() and length.isdigit() and int(length) > limit:
            raise too_large
        blocks: List[bytes] = []
        size = 0

        async def read() -> None:
            nonlocal size
            async for block in request.stream():
                size += len(block)
                if size > limit:
                    raise too_large
                blocks.append(block)

        try:
            await asyncio.wait_for(read(), _BODY_SECONDS)
        except asyncio.TimeoutError:
            raise ApiError(408, f"The request did not arrive within {_BODY_SECONDS} s.") from None
        return b"".join(blocks)

    # -- recognition ------------------------------------------------------------------------------------------------

    async def _transcriptions(self, request: Request) -> Response:
        self._engines.lanes["stt"].admit()
        form = await self._form(request)
        field = _text_fields(form)
        model, engine = self._engines.find("stt", field("model"))
        assert isinstance(engine, Whisper)
        format_ = field("response_format") or "json"
        if format_ not in _FORMATS:
            raise bad_request(f"response_format takes {', '.join(_FORMATS)}, not {format_}.", "response_format")
        if form.get("timestamp_granularities[]") == "word":
            raise bad_request("Times of words are not supported.", "timestamp_granularities[]")
        language = engine.language(field("language"))
        prompt = (field("prompt") or "")[-_MAX_PROMPT_CHARACTERS:] or None
        upload = form.get("file")
        if not isinstance(upload, UploadFile):
            raise bad_request("The form has no file.", "file")
        data = await upload.read()
        lane = self._engines.lanes["stt"]
        is_stream = field("stream") == "true"

        def begin(_: Stop) -> Transcript:
            samples = audio.decode(data, self._settings.max_audio_seconds)
            return engine.transcribe(samples, language, prompt)

        def whole(stop: Stop) -> "tuple[Transcript, List[Segment]]":
            transcript = begin(stop)
            return transcript, list(transcript.segments)

        def done(transcript: Transcript) -> None:
            self._metrics.recognition.labels(model=model.name).observe(time.monotonic() - request.state.started)
            self._metrics.audio.labels(model=model.name).inc(transcript.duration)

        deadline = time.monotonic()
        if is_stream:
            transcript = await _while_connected(request, lane.run(begin, deadline))
            request.state.fields.update(model=model.name, audio_seconds=round(transcript.duration, 2))

            async def events() -> AsyncIterator[bytes]:
                texts: List[str] = []
                while True:
                    segment = await lane.run(lambda _: next(transcript.segments, None), deadline)
                    if segment is None:
                        break
                    delta = segment.text if not texts else f" {segment.text}"
                    texts.append(segment.text)
                    yield _event({"type": "transcript.text.delta", "delta": delta})
                yield _event({"type": "transcript.text.done", "text": " ".join(texts)})
                done(transcript)

            return StreamingResponse(events(), media_type="text/event-stream")

        transcript, segments = await _while_connected(request, lane.run(whole, deadline))
        request.state.fields.update(model=model.name, audio_seconds=round(transcript.duration, 2))
        done(transcript)
        text = " ".join(segment.text for segment in segments)
        if format_ == "text":
            return PlainTextResponse(f"{text}\n")
        if format_ == "json":
            return JSONResponse({"text": text})
        return JSONResponse(
            {
                "task": "transcribe",
                "language": transcript.language,
                "duration": round(transcript.duration, 3),
                "text": text,
                "segments": [{"id": index, **asdict(segment)} for index, segment in enumerate(segments)],
            }
        )

    async def _form(self, request: Request):
        data = await self._body(request)

        async def stream() -> AsyncIterator[bytes]:
            yield data

        if not request.headers.get("content-type", "").startswith("multipart/form-data"):
            raise bad_request("The request is not multipart/form-data.")
        try:
            return await MultiPartParser(request.headers, stream(), max_files=1, max_fields=20).parse()
        except (MultiPartException, KeyError, ValueError) as error:
            raise bad_request("The form cannot be read.") from error

    # -- end of turn ------------------------------------------------------------------------------------------------

    async def _turns(self, request: Request) -> Response:
        lane = self._engines.lanes["turn"]
        lane.admit()
        data = await self._body(request)
        model, engine = self._engines.find("turn", request.query_params.get("model"))
        assert isinstance(engine, SmartTurn)

        def judge(stop: Stop) -> float:
            return engine.finished(audio.decode(data, self._settings.max_audio_seconds), stop)

        finished = await _while_connected(request, lane.run(judge, time.monotonic()))
        request.state.fields.update(model=model.name)
        self._metrics.turns.labels(model=model.name).observe(time.monotonic() - request.state.started)
        return JSONResponse({"model": model.name, "finished": round(finished, 4)})

    # -- speech -----------------------------------------------------------------------------------------------------

    async def _speech(self, request: Request) -> Response:
        lane = self._engines.lanes["tts"]
        lane.admit()
        body = await self._json(request)
        model, engine, voice = self._engines.speaker(
            _string(body, "model"), _string(body, "voice"), _string(body, "language")
        )
        format_ = _string(body, "response_format") or "wav"
        if format_ not in ("pcm", "wav"):
            raise bad_request(f"response_format takes pcm or wav, not {format_}.", "response_format")
        speed = body.get("speed", 1.0)
        if isinstance(speed, bool) or not isinstance(speed, (int, float)) or not 0.25 <= speed <= 4:
            raise bad_request("speed takes a number from 0.25 to 4.", "speed")
        text = _string(body, "input")
        if not text or len(text) > self._settings.max_characters:
            raise bad_request(f"input takes 1 to {self._settings.max_characters} characters.", "input")
        is_background = _BACKGROUND.search(request.headers.get("priority", "")) is not None
        pieces = clauses(engine.prepare(text, voice), engine.language(voice))
        begun = time.monotonic()
        seconds = 0.0

        async def next_clause() -> Optional[bytes]:
            nonlocal seconds
            piece = next(pieces, None)
            if piece is None:
                return None

            def speak(stop: Stop) -> np.ndarray:
                return engine.speak(piece, voice, float(speed), stop)

            if is_background:
                samples = await lane.run_in_background(speak)
            else:
                samples = await lane.run(speak, begun + seconds)
            seconds += len(samples) / engine.rate
            self._metrics.audio.labels(model=model.name).inc(len(samples) / engine.rate)
            return audio.to_pcm(samples)

        # Before the headers are sent, so that a failure still gets a status.
        first = await _while_connected(request, next_clause())
        self._metrics.first_sound.labels(model=model.name).observe(time.monotonic() - request.state.started)
        request.state.fields.update(model=model.name, voice=voice, characters=len(text))

        async def stream() -> AsyncIterator[bytes]:
            if format_ == "wav":
                yield audio.wav_header(engine.rate)
            block = first
            while block is not None:
                if block:
                    yield block
                block = await next_clause()

        media = "audio/wav" if format_ == "wav" else f"audio/pcm;rate={engine.rate}"
        return StreamingResponse(stream(), media_type=media)

    async def _json(self, request: Request) -> Dict[str, object]:
        try:
            body = json.loads(await self._body(request))
        except ValueError:
            raise bad_request("The body is not JSON.") from None
        if not isinstance(body, dict):
            raise bad_request("The body is not a JSON object.")
        return body

    # -- status -----------------------------------------------------------------------------------------------------

    async def _models(self, _: Request) -> Response:
        data = [
            {
                "id": model.name,
                "object": "model",
                "created": 0,
                "owned_by": "local",
                "kind": model.kind,
                "languages": list(model.languages),
            }
            for model in self._engines.models
            if self._engines.is_loaded(model)
        ]
        return JSONResponse({"object": "list", "data": data})

    async def _health(self, _: Request) -> Response:
        engines = self._engines
        models = [
            {
                "name": model.name,
                "kind": model.kind,
                "license": model.license,
                "sha256": model.sha256,
                "loaded": engines.is_loaded(model),
            }
            for model in engines.models
        ]
        status = "ok" if engines.is_ready else "loading"
        return JSONResponse({"status": status, "models": models}, status_code=200 if engines.is_ready else 503)

    async def _show_metrics(self, _: Request) -> Response:
        return Response(generate_latest(self._metrics.registry), media_type=CONTENT_TYPE_LATEST)


def _event(data: Dict[str, object]) -> bytes:
    return f"data: {json.dumps(data, ensure_ascii=False)}\n\n".encode()


async def _while_connected(request: Request, work: Awaitable[T]) -> T:
    """Stops the work when the client leaves. @raises ClientDisconnect"""
    job = asyncio.ensure_future(work)
    # The body was read, so what comes next is the end of the connection.
    gone = asyncio.ensure_future(request.receive())
    try:
        await asyncio.wait({job, gone}, return_when=asyncio.FIRST_COMPLETED)
        if job.done():
            return job.result()
        raise ClientDisconnect
    finally:
        job.cancel()
        gone.cancel()


def _text_fields(form) -> Callable[[str], Optional[str]]:
    def field(name: str) -> Optional[str]:
        value = form.get(name)
        return value if isinstance(value, str) else None

    return field


def _string(body: Dict[str, object], name: str) -> Optional[str]:
    value = body.get(name)
    if value is not None and not isinstance(value, str):
        raise bad_request(f"{name} takes a string.", name)
    return value


async def _api_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, ApiError)
    return error.response()


async def _http_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return ApiError(error.status_code, str(error.detail), headers=error.headers and dict(error.headers)).response()
