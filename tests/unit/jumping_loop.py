"""An event loop whose clock jumps instead of waiting."""

import asyncio
import selectors


class JumpingLoop(asyncio.SelectorEventLoop):
    """An asyncio loop that never waits for a timer: with nothing else to do it is that late."""

    def __init__(self):
        super().__init__(_JumpingSelector(self))
        self.now = 0.0

    def time(self):
        return self.now


class _JumpingSelector(selectors.DefaultSelector):
    def __init__(self, loop):
        super().__init__()
        self._loop = loop

    def select(self, timeout=None):
        ready = super().select(0 if timeout is not None else None)
        if not ready and timeout:
            self._loop.now += timeout
        return ready
