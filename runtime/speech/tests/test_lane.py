from __future__ import annotations

import asyncio
import threading

import pytest

from parlance_speech.errors import ApiError
from parlance_speech.lane import Lane, Quiet, Stop, Stopped


def _blocked(lane: Lane):
    """A job that occupies the only thread until it is let go."""
    gate, started = threading.Event(), threading.Event()

    def work(_: Stop) -> None:
        started.set()
        gate.wait()

    return gate, started, asyncio.ensure_future(lane.run(work, 0))


def test_runs_the_clause_first_whose_listener_runs_out_of_sound_first() -> None:
    async def scenario() -> None:
        lane = Lane("speech", 1, 10, Quiet())
        gate, _, blocker = _blocked(lane)
        await asyncio.sleep(0)
        order = []
        jobs = [
            asyncio.ensure_future(lane.run(lambda _, name=name: order.append(name), deadline))
            for name, deadline in (("late", 30.0), ("early", 10.0), ("middle", 20.0))
        ]
        await asyncio.sleep(0)
        gate.set()
        await asyncio.gather(blocker, *jobs)
        assert order == ["early", "middle", "late"]
        lane.close()

    asyncio.run(scenario())


def test_refuses_a_request_with_a_time_to_retry_when_the_queue_is_full() -> None:
    async def scenario() -> None:
        lane = Lane("speech", 1, 2, Quiet())
        gate, _, blocker = _blocked(lane)
        jobs = [asyncio.ensure_future(lane.run(lambda _: None, 1)) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(ApiError) as refused:
            lane.admit()
        assert refused.value.status == 429
        assert int(refused.value.headers["Retry-After"]) >= 1
        gate.set()
        await asyncio.gather(blocker, *jobs)
        lane.admit()
        lane.close()

    asyncio.run(scenario())


def test_gives_the_thread_to_the_next_job_when_a_waiting_caller_leaves() -> None:
    async def scenario() -> None:
        lane = Lane("speech", 1, 10, Quiet())
        gate, _, blocker = _blocked(lane)
        leaving = asyncio.ensure_future(lane.run(lambda _: "left", 1))
        staying = asyncio.ensure_future(lane.run(lambda _: "stayed", 2))
        await asyncio.sleep(0)
        leaving.cancel()
        await asyncio.sleep(0)
        assert lane.length == 1
        gate.set()
        assert await staying == "stayed"
        await blocker
        # The thread is free again: nothing was counted twice.
        assert await lane.run(lambda _: "next", 3) == "next"
        assert leaving.cancelled()
        lane.close()

    asyncio.run(scenario())


def test_keeps_the_thread_occupied_when_the_caller_of_a_running_job_leaves() -> None:
    async def scenario() -> None:
        lane = Lane("speech", 1, 10, Quiet())
        gate, started, running = _blocked(lane)
        await asyncio.sleep(0)
        started.wait()
        running.cancel()
        waiting = asyncio.ensure_future(lane.run(lambda _: "ran", 1))
        await asyncio.sleep(0)
        assert lane.length == 1
        gate.set()
        assert await waiting == "ran"
        lane.close()

    asyncio.run(scenario())


def _until_stopped(started: threading.Event):
    """Work that ends only when it is stopped, as an inference does."""

    def work(stop: Stop) -> None:
        started.set()
        while not stop.is_set:
            threading.Event().wait(0.001)
        raise Stopped

    return work


def test_stops_work_in_the_background_when_somebody_needs_a_thread_and_begins_it_again_afterwards() -> None:
    async def scenario() -> None:
        quiet = Quiet()
        speech, recognition = Lane("speech", 1, 10, quiet), Lane("recognition", 1, 10, quiet)
        started, runs = threading.Event(), []

        def work(stop: Stop) -> str:
            runs.append(stop)
            if len(runs) == 1:
                _until_stopped(started)(stop)
            return "spoken"

        background = asyncio.ensure_future(speech.run_in_background(work))
        await asyncio.get_running_loop().run_in_executor(None, started.wait)
        # In another lane: they share the cores.
        assert await recognition.run(lambda _: "heard", 0) == "heard"
        assert await background == "spoken"
        assert len(runs) == 2
        speech.close()
        recognition.close()

    asyncio.run(scenario())


def test_does_not_begin_work_in_the_background_while_somebody_waits() -> None:
    async def scenario() -> None:
        quiet = Quiet()
        lane, other = Lane("speech", 1, 10, quiet), Lane("recognition", 1, 10, quiet)
        gate, started, running = _blocked(other)
        await asyncio.get_running_loop().run_in_executor(None, started.wait)
        order = []
        background = asyncio.ensure_future(lane.run_in_background(lambda _: order.append("background")))
        await asyncio.sleep(0)
        await lane.run(lambda _: order.append("turn"), 5)
        assert order == ["turn"]
        gate.set()
        await asyncio.gather(running, background)
        assert order == ["turn", "background"]
        lane.close()
        other.close()

    asyncio.run(scenario())


def test_stops_the_inference_of_a_caller_who_leaves() -> None:
    async def scenario() -> None:
        lane = Lane("speech", 1, 10, Quiet())
        started = threading.Event()
        leaving = asyncio.ensure_future(lane.run(_until_stopped(started), 0))
        await asyncio.get_running_loop().run_in_executor(None, started.wait)
        leaving.cancel()
        assert await lane.run(lambda _: "next", 1) == "next"
        assert leaving.cancelled()
        lane.close()

    asyncio.run(scenario())
