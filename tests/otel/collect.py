#!/usr/bin/env python3
"""A collector of one server's spans: asks the server a few things with curl, and looks at what arrives here.

usage: tests/otel/collect.py FUNDSIM_BINARY
"""
import http.server
import json
import os
import signal
import subprocess
import sys
import threading

BATCHES = []


class Collector(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        BATCHES.append((self.path, self.headers["content-type"], json.loads(body)))
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_):
        pass


def curl(*arguments):
    """The status of an answer, and its body."""
    answer = subprocess.run(["curl", "-s", "-w", "\n%{http_code}", *arguments], check=True, capture_output=True, text=True)
    body, status = answer.stdout.rsplit("\n", 1)
    return int(status), body


def spans():
    for path, kind, batch in BATCHES:
        assert (path, kind) == ("/v1/traces", "application/json"), (path, kind)
        for of_service in batch["resourceSpans"]:
            resource = {one["key"]: one["value"] for one in of_service["resource"]["attributes"]}
            assert resource["service.name"] == {"stringValue": "fundsim"}, resource
            for of_scope in of_service["scopeSpans"]:
                yield from of_scope["spans"]


def attributes(span):
    return {one["key"]: next(iter(one["value"].values())) for one in span["attributes"]}


def main(binary):
    for level in ("off", "info"):
        BATCHES.clear()
        once(binary, level)


def once(binary, level):
    collector = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Collector)
    threading.Thread(target=collector.serve_forever, daemon=True).start()
    help_text = subprocess.run([binary, "serve", "--help"], check=True, capture_output=True, text=True).stdout
    assert "OTEL_EXPORTER_OTLP_ENDPOINT" in help_text, "the help says nothing of it"
    flags = ["--listen", "127.0.0.1:0", "--seed", "42", "--clock", "frozen", "--output", "json", "--log-level", level]
    environment = {**os.environ, "OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{collector.server_port}"}
    server = subprocess.Popen([binary, "serve", *flags], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
    try:
        banner = json.loads(server.stdout.readline())
        url, partner = banner["url"], banner["partners"][0]
        form = f"grant_type=client_credentials&client_id={partner['clientId']}&client_secret={partner['clientSecret']}"
        status, body = curl(f"{url}/v2/partner/auth/token", "-d", form)
        assert status == 200, body
        token, client = json.loads(body)["access_token"], partner["clients"][0]["id"]
        bearer = ["-H", f"authorization: Bearer {token}"]
        status, body = curl(f"{url}/v2/partner/client/{client}/account?ssn=191212121212", *bearer)
        assert status == 200, body
        assert curl(f"{url}/nowhere", *bearer)[0] == 404
    finally:
        server.send_signal(signal.SIGTERM)
        lines = server.communicate(timeout=60)[1].decode()
    assert server.returncode == 0, lines
    assert (" info  200 GET " in lines) == (level == "info"), lines

    arrived = list(spans())
    names = [span["name"] for span in arrived]
    assert names == ["POST /v2/partner/auth/token", "GET /v2/partner/client/{clientId}/account", "GET unknown"], names
    for span, status in zip(arrived, [200, 200, 404], strict=True):
        values = attributes(span)
        assert (values["world"], int(values["status"]), span["kind"]) == ("world-1", status, 2), span
        assert values["partner"].count("-") == 4, values
        assert int(span["startTimeUnixNano"]) < int(span["endTimeUnixNano"]), span
    everything = json.dumps(BATCHES)
    for secret in (token, partner["clientSecret"], "191212121212"):
        assert secret not in everything, f"{secret} has left the server"
    print(f"--log-level {level}: {len(arrived)} spans arrived: {', '.join(names)}; the second with {attributes(arrived[1])}")


if __name__ == "__main__":
    main(sys.argv[1])
