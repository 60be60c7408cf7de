"""Scrapes a page and prints its Markdown.

Usage: python3 scrape.py URL
TRAWL is the address of the API, KEY an API key.
"""

import json
import os
import sys
import time
import uuid
from urllib.error import HTTPError
from urllib.request import Request, urlopen

ATTEMPTS = 5
# Longer than the service works on one page.
TIMEOUT_SECONDS = 90


def scrape(url):
    """The result of a page. Retries when the service is busy, and exits with its error otherwise."""
    body = {"url": url, "formats": ["markdown"], "onlyMainContent": True}
    headers = {
        "x-api-key": os.environ["KEY"],
        "content-type": "application/json",
        # All attempts together run and cost once.
        "idempotency-key": str(uuid.uuid4()),
    }
    request = Request(
        os.environ["TRAWL"] + "/v1/scrape", json.dumps(body).encode(), headers
    )
    for attempt in range(1, ATTEMPTS + 1):
        try:
            with urlopen(request, timeout=TIMEOUT_SECONDS) as response:
                return json.load(response)
        except HTTPError as error:
            problem = json.load(error)["error"]
            if error.code not in (429, 503) or attempt == ATTEMPTS:
                sys.exit(f"{url}: {problem}")
            time.sleep(int(error.headers.get("retry-after", "1")))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print(scrape(sys.argv[1])["markdown"])
