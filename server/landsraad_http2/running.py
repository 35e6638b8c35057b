"""Run the four kinds of handlers, each call in one task."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
from grpc.aio import AbortError

from landsraad_http2.context import Context, Requests
from landsraad_http2.messages import BadMessage, TooMuch
from landsraad_http2.stream import Full


class Runner:
    """The runner of the handlers of one server, with a registry of running calls."""

    def __init__(self) -> None:
        self.contexts: set[Context] = set()
        #: set whenever none is left
        self.idle = asyncio.Event()
        self.idle.set()
        self._loop = asyncio.get_running_loop()

    def begin(self, context: Context) -> None:
        """Start a call: at once, or when its only request has arrived."""
        if context.handler.request_streaming:
            self._start(context, Requests(context))
        else:
            requests: list[bytes] = []

            def take(request: bytes) -> None:
                if requests:
                    raise _not_one()
                requests.append(request)

            def asked() -> None:
                if not requests:
                    raise _not_one()
                self._start(context, context.parsed(requests[0]))

            context.stream.asking = True
            context.stream.receive(take, asked)

    def _start(self, context: Context, request: Any) -> None:
        context.stream.asking = False
        self.contexts.add(context)
        self.idle.clear()
        task = context.task = self._loop.create_task(_run(context, request))
        task.add_done_callback(lambda _: self._ended(context))  # even if it is cancelled before it has begun

    def _ended(self, context: Context) -> None:
        self.contexts.discard(context)
        context.task = None
        if not self.contexts:
            self.idle.set()


async def _run(context: Context, request: Any) -> None:
    handler = context.handler
    try:
        if handler.response_streaming:
            await _stream(context, handler.stream_stream or handler.unary_stream, request)
        else:
            await _one(context, handler.stream_unary or handler.unary_unary, request)
        context.succeed()
    except AbortError:
        pass  # it is said already
    except asyncio.CancelledError:
        context.end(grpc.StatusCode.CANCELLED)  # unless it was said why
        raise
    except BadMessage as bad:
        context.refuse(bad)
    except Full:
        context.refuse(TooMuch("too much waits for this client, which does not take it"))
    except Exception as error:  # noqa: BLE001
        context.fail(error)


def _not_one() -> BadMessage:
    return BadMessage(grpc.StatusCode.UNIMPLEMENTED, "this method takes one request")


async def _one(context: Context, method: Any, request: Any) -> None:
    answer = await method(request, context)
    if context.code() is grpc.StatusCode.OK:
        context.stream.send(context.serialized(answer))


async def _stream(context: Context, method: Any, request: Any) -> None:
    answers = method(request, context)
    if hasattr(answers, "__anext__"):
        async for answer in answers:
            writing = context.write(answer)
            del answer  # what waits is kept once
            await writing
    else:  # it has written for itself
        await answers
