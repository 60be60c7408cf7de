"""Prints the pages of a job as they are scraped, until the job ends.

Usage: python3 follow-job.py JOB_ID
TRAWL is the address of the API, KEY an API key.
"""

import json
import os
import sys
import time
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.request import Request, urlopen

# The service sends a comment every 15 seconds; a silent connection is a lost one.
SILENCE_SECONDS = 40
RECONNECT_SECONDS = 2


def events(job_id):
    """Yields the (name, data) of each event. Reconnects after an interruption and continues where it was."""
    last_id = ""
    while True:
        try:
            with connect(job_id, last_id) as stream:
                for event in read_events(stream):
                    last_id = event.get("id", last_id)
                    yield event["event"], json.loads(event["data"])
                    if event["event"] == "end":
                        return
        except HTTPError as error:
            sys.exit(f"{job_id}: {json.load(error)['error']}")
        except (OSError, HTTPException) as error:
            print(f"connection lost ({error}), reconnecting", file=sys.stderr)
        time.sleep(RECONNECT_SECONDS)


def connect(job_id, last_id):
    headers = {"x-api-key": os.environ["KEY"]}
    if last_id:
        headers["last-event-id"] = last_id
    url = f"{os.environ['TRAWL']}/v1/crawl/{job_id}/events"
    return urlopen(Request(url, headers=headers), timeout=SILENCE_SECONDS)


def read_events(stream):
    """Yields the fields of each event of a Server-Sent Events stream. An empty line ends an event."""
    fields = {}
    for line in stream:
        name, _, value = line.decode().rstrip("\n").partition(":")
        if name:
            fields[name] = value.removeprefix(" ")
        elif "data" in fields:
            yield fields
            fields = {}


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    for name, data in events(sys.argv[1]):
        if name == "document":
            print(data["statusCode"], data["url"], flush=True)
        elif name == "end":
            print(data["status"], flush=True)
