"""A Maven repository on the loopback that can misbehave."""

import hashlib
import json
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from pydl4j.jvm import lock


class FakeMaven:
    """Serves the jars ``a``, ``b`` (set core) and ``n`` (the native set), and counts what is asked for."""

    def __init__(self) -> None:
        self.jars = {name: f"the jar {name} ".encode() * 5000 for name in "abn"}
        self.cut: Counter[str] = Counter()  # how many more times a jar breaks off in the middle
        self.wrong: Counter[str] = Counter()  # how many more times it comes with other bytes
        self.asked: Counter[str] = Counter()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/maven2"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def write_lock(self, path: Path) -> None:
        def entry(name: str) -> dict[str, object]:
            body = self.jars[name]
            coordinates = {"group": "org.fake", "artifact": name, "version": "1.0"}
            return {**coordinates, "size": len(body), "sha256": hashlib.sha256(body).hexdigest()}

        sets = {"core": ["a", "b"], "standalone": [], "spark": [], lock.native_set(): ["n"]}
        path.write_text(json.dumps({name: [entry(jar) for jar in jars] for name, jars in sets.items()}))

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        fake = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                name = self.path.rsplit("/", 1)[-1]
                jar = name.removesuffix("-1.0.jar")
                if jar not in fake.jars:  # the .sha1 beside it
                    self.send_error(404)
                    return
                fake.asked[jar] += 1
                body = fake.jars[jar]
                if fake.wrong[jar] > 0:
                    fake.wrong[jar] -= 1
                    body = body[::-1]
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                if fake.cut[jar] > 0:
                    fake.cut[jar] -= 1
                    body = body[: len(body) // 2]
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                """Keep the test's output clean."""

        return Handler
