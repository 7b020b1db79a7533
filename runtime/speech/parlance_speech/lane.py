"""Bounded queues in front of the threads of the engines."""

from __future__ import annotations

import asyncio
import heapq
import itertools
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Callable, List, Set, Tuple, TypeVar

import onnxruntime

from .errors import ApiError

T = TypeVar("T")

_LAST = float("inf")


class Stopped(Exception):
    """The work was stopped before it had a result."""


class Stop:
    """Ends the inference that runs with these options, from another thread and within milliseconds."""

    def __init__(self) -> None:
        self.options = onnxruntime.RunOptions()

    @property
    def is_set(self) -> bool:
        return self.options.terminate

    def set(self) -> None:
        self.options.terminate = True


class Quiet:
    """Counts the jobs that somebody waits for, in all lanes. Work in the background runs while there are none."""

    def __init__(self) -> None:
        self._jobs = 0
        self._waiting: List[asyncio.Future] = []
        self._background: Set[Stop] = set()

    def enter(self) -> None:
        self._jobs += 1
        for stop in self._background:
            stop.set()

    def leave(self) -> None:
        self._jobs -= 1
        if self._jobs > 0:
            return
        for waiting in self._waiting:
            if not waiting.done():
                waiting.set_result(None)
        self._waiting.clear()

    async def wait(self) -> None:
        while self._jobs > 0:
            waiting = asyncio.get_running_loop().create_future()
            self._waiting.append(waiting)
            await waiting

    def begin(self, stop: Stop) -> None:
        self._background.add(stop)
        if self._jobs > 0:
            stop.set()

    def end(self, stop: Stop) -> None:
        self._background.discard(stop)


class Lane:
    """
    Runs jobs on a few threads, earliest deadline first. The deadline of recognition is its arrival; that of a clause is
    the moment at which its listener has heard everything before it, so a long answer does not delay the first sound of
    another caller.
    """

    def __init__(self, name: str, workers: int, max_queue: int, quiet: Quiet) -> None:
        self.name = name
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix=name)
        self._free = workers
        self._max_queue = max_queue
        self._quiet = quiet
        self._waiting: List[Tuple[float, int, asyncio.Future]] = []
        self._order = itertools.count()
        self._seconds = 1.0

    @property
    def length(self) -> int:
        return sum(1 for deadline, _, turn in self._waiting if deadline != _LAST and not turn.done())

    def admit(self) -> None:
        """Refuses a request that would wait behind a full queue. Clauses of an admitted request are not refused."""
        if self.length >= self._max_queue:
            wait = max(1, round(self.length * self._seconds))
            raise ApiError(
                429,
                f"The queue of {self.name} is full: try again in {wait} s.",
                code="rate_limit_exceeded",
                headers={"Retry-After": str(wait)},
            )

    async def run(self, work: Callable[[Stop], T], deadline: float) -> T:
        stop = Stop()
        self._quiet.enter()
        try:
            return await self._run(work, deadline, stop)
        finally:
            # The caller has left, or the work is done.
            stop.set()
            self._quiet.leave()

    async def run_in_background(self, work: Callable[[Stop], T]) -> T:
        """Runs while nobody waits for anything. What has to make way begins again later."""
        while True:
            await self._quiet.wait()
            stop = Stop()
            self._quiet.begin(stop)
            try:
                return await self._run(work, _LAST, stop)
            except Stopped:
                continue
            finally:
                stop.set()
                self._quiet.end(stop)

    async def _run(self, work: Callable[[Stop], T], deadline: float, stop: Stop) -> T:
        await self._acquire(deadline)
        if stop.is_set:
            self._release()
            raise Stopped
        started = time.monotonic()
        job = asyncio.get_running_loop().run_in_executor(self._pool, work, stop)
        # A thread cannot be stopped between two inferences: its place is free when it is done, also if the caller has left.
        job.add_done_callback(lambda done: self._finish(done, started))
        return await asyncio.shield(job)

    async def _acquire(self, deadline: float) -> None:
        if self._free > 0:
            self._free -= 1
            return
        turn = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (deadline, next(self._order), turn))
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._release()
            raise

    def _finish(self, done: asyncio.Future, started: float) -> None:
        # Nobody reads the failure of a job whose caller has left.
        if not done.cancelled():
            done.exception()
        self._seconds += (time.monotonic() - started - self._seconds) / 8
        self._release()

    def _release(self) -> None:
        while self._waiting:
            _, _, turn = heapq.heappop(self._waiting)
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1

    def close(self) -> None:
        self._pool.shutdown(wait=False)
