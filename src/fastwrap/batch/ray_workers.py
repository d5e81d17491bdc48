"""Workers of a Ray cluster: each is an actor that has a process of its own for the pages, as on one machine.
A node that is lost takes its actors with it; their parts are given to new ones, and only what is recorded counts."""

from __future__ import annotations

import os
from typing import Any, ClassVar

from fastwrap.batch.parts import Result, Task
from fastwrap.batch.reading import Reading
from fastwrap.batch.worker import Read, Worker
from fastwrap.errors import FastwrapError
from fastwrap.output.frames import require

START_SECONDS = 10.0
"""A part that is not begun after so long waits for room; or ends the run, if there is no node left."""

MOST_LOST = 10
"""So many actors may be lost over one part."""


class Host:
    """What runs on a node: hands parts to a process, which may crash without taking the actor with it."""

    def __init__(self, place: str, folder: str, reading: Reading) -> None:
        os.chdir(place)  # names of files are relative to it
        self._worker = Worker(folder, reading)

    def begin(self, task: Task) -> Read:
        """Have a part read."""
        return self._worker.begin(task)

    def finish(self) -> tuple[Result, int]:
        """What has become of the part; and how often the process was started again."""
        result = self._worker.finish()
        restarts, self._worker.restarts = self._worker.restarts, 0
        return result, restarts


class RayWorker:
    """An actor that works on one part at a time; another one takes its place where its node is lost."""

    waiting: ClassVar[set[int]] = set()
    """The numbers of parts whose actor waits for room on a node."""

    def __init__(self, folder: str, reading: Reading) -> None:
        self._ray: Any = require("ray", "ray")
        self._arguments = os.getcwd(), folder, reading
        self._actor: Any = None
        self._task: Task | None = None
        self._lost = 0
        self.restarts = 0

    def begin(self, task: Task) -> Read:
        """Have a part read; how far it reaches."""
        self._task, self._lost = task, 0
        return self._begin()

    def _begin(self) -> Read:
        assert self._task is not None
        number = self._task.number
        try:
            while True:
                if self._actor is None:
                    self._actor = self._ray.remote(num_cpus=1, max_restarts=0)(Host).remote(*self._arguments)
                reading = self._actor.begin.remote(self._task)
                try:
                    while not self._ray.wait([reading], timeout=START_SECONDS)[0]:
                        if self._ray.cluster_resources().get("CPU", 0) < 1:
                            raise FastwrapError(f"part {number} cannot be worked on: the cluster has no node left")
                        self.waiting.add(number)
                    read: Read = self._ray.get(reading)
                    return read
                except self._ray.exceptions.RayActorError as error:
                    self._lose(error)
        finally:
            self.waiting.discard(number)

    def finish(self) -> Result:
        """What has become of the part."""
        while True:
            try:
                result, restarts = self._ray.get(self._actor.finish.remote())
            except self._ray.exceptions.RayActorError as error:
                self._lose(error)
                self._begin()
                continue
            self.restarts += restarts
            found: Result = result
            return found

    def rest(self) -> None:
        """Give up the actor if another one waits for room: it may have lost its node."""
        if self.waiting:
            self.close()

    def close(self, kill: bool = False) -> None:
        """End the actor."""
        if self._actor is not None:
            self._ray.kill(self._actor)
            self._actor = None

    def _lose(self, error: Exception) -> None:
        self._actor = None
        self._lost += 1
        self.restarts += 1
        if self._lost == MOST_LOST:
            number = self._task and self._task.number
            raise FastwrapError(
                f"part {number} was begun {MOST_LOST} times, and no node has kept it: {error}"
            ) from None


def connected() -> int:
    """Make sure that there is a cluster: the one that is connected, or that RAY_ADDRESS names, or else one of this
    machine. Returns its processors."""
    ray: Any = require("ray", "ray")
    if not ray.is_initialized():
        ray.init(log_to_driver=False, logging_level="ERROR")
    return max(1, int(ray.cluster_resources().get("CPU", 1)))
