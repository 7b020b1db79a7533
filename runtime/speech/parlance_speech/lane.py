"""A bounded queue in front of the threads of an engine."""

from __future__ import annotations

import asyncio
import heapq
import itertools
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Callable, List, Tuple, TypeVar

from .errors import ApiError

T = TypeVar("T")


class Lane:
    """
    Runs jobs on a few threads, earliest deadline first. The deadline of recognition is its arrival; that of a clause is
    the moment at which its listener has heard everything before it, so a long answer does not delay the first sound of
    another caller.
    """

    def __init__(self, name: str, workers: int, max_queue: int) -> None:
        self.name = name
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix=name)
        self._free = workers
        self._max_queue = max_queue
        self._waiting: List[Tuple[float, int, asyncio.Future]] = []
        self._order = itertools.count()
        self._seconds = 1.0

    @property
    def length(self) -> int:
        return sum(1 for _, _, turn in self._waiting if not turn.done())

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

    async def run(self, work: Callable[[], T], deadline: float) -> T:
        await self._acquire(deadline)
        started = time.monotonic()
        job = asyncio.get_running_loop().run_in_executor(self._pool, work)
        # A thread cannot be stopped: its place is free when it is done, also if the caller has left.
        job.add_done_callback(lambda _: self._finish(started))
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

    def _finish(self, started: float) -> None:
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
