"""Servers that others have written, run in a thread for as long as a test needs them."""

import threading
from contextlib import contextmanager
from http.server import ThreadingHTTPServer

import sparrow_decider.cli


@contextmanager
def sparrow_decider_server():
    """Run `sparrow-decider serve` on a free port; gives its URL."""
    running = []
    is_up = threading.Event()

    class Server(ThreadingHTTPServer):
        def __init__(self, *args):
            super().__init__(*args)
            running.append(self)
            is_up.set()

    original = sparrow_decider.cli.ThreadingHTTPServer
    sparrow_decider.cli.ThreadingHTTPServer = Server
    serving = threading.Thread(
        target=sparrow_decider.cli.main, args=(["serve", "--port", "0"],), daemon=True
    )
    try:
        serving.start()
        is_up.wait()
        (server,) = running
        yield "http://{}:{}/".format(*server.server_address)
        server.shutdown()
        server.server_close()
        serving.join()
    finally:
        sparrow_decider.cli.ThreadingHTTPServer = original
