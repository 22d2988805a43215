"""Logs in at an auth-service.

load.py URL burst N         N logins at once; prints each status and how often it came
load.py URL steady SECONDS  six clients, and /q/health/live every 20 ms; prints logins a second and the
                            health check's p50 and p99 in ms
"""

import http.client
import json
import sys
import threading
import time
from collections import Counter
from urllib.parse import urlparse

ADDRESS = urlparse(sys.argv[1]).netloc
BODY = json.dumps({"login": "demo", "password": "demo-password"})
CLIENTS = 6
PACE = 0.02


def ask(connection, method, path, body=None):
    connection.request(method, path, body, {"Content-Type": "application/json"} if body else {})
    answer = connection.getresponse()
    answer.read()
    return answer.status


def burst(logins):
    counts = Counter()

    def one():
        connection = http.client.HTTPConnection(ADDRESS, timeout=30)
        try:
            status = ask(connection, "POST", "/login", BODY)
        except OSError as e:
            status = type(e).__name__
        counts[status] += 1

    threads = [threading.Thread(target=one) for _ in range(logins)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for status, count in sorted(counts.items(), key=str):
        print(status, count)


def steady(seconds):
    end = time.monotonic() + seconds
    done = []

    def client():
        connection = http.client.HTTPConnection(ADDRESS, timeout=30)
        while time.monotonic() < end:
            if ask(connection, "POST", "/login", BODY) == 200:
                done.append(None)

    clients = [threading.Thread(target=client) for _ in range(CLIENTS)]
    for each in clients:
        each.start()
    connection = http.client.HTTPConnection(ADDRESS, timeout=30)
    waits = []
    due = time.monotonic()
    while due < end:
        time.sleep(max(0, due - time.monotonic()))
        ask(connection, "GET", "/q/health/live")
        # From when it was due: a late answer delays the next question too.
        waits.append(time.monotonic() - due)
        due += PACE
    for each in clients:
        each.join()
    waits.sort()
    print(
        f"{len(done) / seconds:.1f}",
        *(f"{1000 * waits[int(len(waits) * share)]:.1f}" for share in (0.5, 0.99)),
    )


{"burst": burst, "steady": steady}[sys.argv[2]](int(sys.argv[3]))
