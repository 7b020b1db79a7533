from __future__ import annotations

import asyncio
import threading

import pytest

from parlance_speech.errors import ApiError
from parlance_speech.lane import Lane


def _blocked(lane: Lane):
    """A job that occupies the only thread until it is let go."""
    gate, started = threading.Event(), threading.Event()

    def work() -> None:
        started.set()
        gate.wait()

    return gate, started, asyncio.ensure_future(lane.run(work, 0))


def test_runs_the_clause_first_whose_listener_runs_out_of_sound_first() -> None:
    async def scenario() -> None:
        lane = Lane("speech", 1, 10)
        gate, _, blocker = _blocked(lane)
        await asyncio.sleep(0)
        order = []
        jobs = [
            asyncio.ensure_future(lane.run(lambda name=name: order.append(name), deadline))
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
        lane = Lane("speech", 1, 2)
        gate, _, blocker = _blocked(lane)
        jobs = [asyncio.ensure_future(lane.run(lambda: None, 1)) for _ in range(2)]
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
        lane = Lane("speech", 1, 10)
        gate, _, blocker = _blocked(lane)
        leaving = asyncio.ensure_future(lane.run(lambda: "left", 1))
        staying = asyncio.ensure_future(lane.run(lambda: "stayed", 2))
        await asyncio.sleep(0)
        leaving.cancel()
        await asyncio.sleep(0)
        assert lane.length == 1
        gate.set()
        assert await staying == "stayed"
        await blocker
        # The thread is free again: nothing was counted twice.
        assert await lane.run(lambda: "next", 3) == "next"
        assert leaving.cancelled()
        lane.close()

    asyncio.run(scenario())


def test_keeps_the_thread_occupied_when_the_caller_of_a_running_job_leaves() -> None:
    async def scenario() -> None:
        lane = Lane("speech", 1, 10)
        gate, started, running = _blocked(lane)
        await asyncio.sleep(0)
        started.wait()
        running.cancel()
        waiting = asyncio.ensure_future(lane.run(lambda: "ran", 1))
        await asyncio.sleep(0)
        assert lane.length == 1
        gate.set()
        assert await waiting == "ran"
        lane.close()

    asyncio.run(scenario())
