"""A receiver of Mailroom's webhooks. Needs Python 3.9 or newer and nothing else.

    WEBHOOK_SECRET=whsec_... PORT=3000 python3 python.py
"""
import hashlib
import hmac
import json
import os
import re
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOLERANCE_SECONDS = 300


def is_genuine(header, body, secret, now=None):
    """True when one of the signatures is ours and the time is not older than five minutes. `body`: the bytes that arrived."""
    pairs = [pair.strip().partition("=") for pair in (header or "").split(",")]
    stamp = next((value for name, _, value in pairs if name == "t"), "")
    if not re.fullmatch(r"[0-9]+", stamp):
        return False
    if (time.time() if now is None else now) - int(stamp) > TOLERANCE_SECONDS:
        return False
    expected = hmac.new(secret.encode(), stamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    # A list, not a generator: every signature is compared, whichever fits. Bytes, since text must be ASCII there.
    return any([hmac.compare_digest(value.encode(), expected.encode()) for name, _, value in pairs if name == "v1"])


seen = set()  # Events come at least once: remember the ids that you have dealt with, in your database.


def handle(event):
    if event["id"] in seen:
        return
    seen.add(event["id"])
    print(event["type"], json.dumps(event["data"]), flush=True)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        genuine = is_genuine(self.headers.get("Service-Signature"), body, os.environ["WEBHOOK_SECRET"])
        # Answer 2xx within 15 seconds; put what takes longer on a queue of your own.
        self.send_response(204 if genuine else 400)
        self.end_headers()
        if genuine:
            handle(json.loads(body))

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer((os.environ.get("HOST", "127.0.0.1"), int(os.environ.get("PORT", "3000"))), Receiver)
    print("listening", server.server_port, flush=True)
    server.serve_forever()
