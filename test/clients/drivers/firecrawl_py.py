"""Drives firecrawl-py and the loaders over it, as published: a call a line on standard input, its outcome a line.

Usage: python firecrawl_py.py, with FIRECRAWL_API_URL and FIRECRAWL_API_KEY.
"""

import asyncio
import base64
import json
import os
import sys

from firecrawl import AsyncFirecrawl, Firecrawl

URL = os.environ["FIRECRAWL_API_URL"]
KEY = os.environ["FIRECRAWL_API_KEY"]


def plain(value):
    """Models and lists of them as JSON."""
    if hasattr(value, "model_dump"):
        return plain(value.model_dump(mode="json", exclude_none=True))
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    return value


def watch(job_id, kind):
    """Follows a job to its end: its states and the documents it brought."""
    watcher = Firecrawl(api_key=KEY, api_url=URL).watcher(job_id, kind=kind, poll_interval=2)
    statuses, documents, ends = [], [], []
    watcher.add_listener(lambda job: statuses.append(job.status))
    watcher.add_event_listener("document", lambda detail: documents.append(detail["data"]))
    watcher.add_event_listener("done", lambda detail: ends.append(detail["status"]))
    watcher.add_event_listener("error", lambda detail: ends.append(detail.get("error") or detail["status"]))
    watcher.start()
    watcher._thread.join(60)
    return {"statuses": statuses, "documents": documents, "ends": ends}


async def watch_async(job_id, kind):
    """The same with the watcher for asyncio, which yields the states."""
    states = []
    async for job in AsyncFirecrawl(api_key=KEY, api_url=URL).watcher(job_id, kind=kind, poll_interval=2):
        states.append({"status": job.status, "documents": [plain(one) for one in job.data]})
    return states


def langchain(mode, url, params):
    from langchain_firecrawl import FirecrawlLoader

    loader = FirecrawlLoader(url, api_key=KEY, api_url=URL, mode=mode, params=params)
    return [{"text": one.page_content, "metadata": plain(one.metadata)} for one in loader.load()]


def llama_index(mode, url, params):
    from llama_index.readers.web import FireCrawlWebReader

    reader = FireCrawlWebReader(api_key=KEY, api_url=URL, mode=mode, params=params)
    return [{"text": one.text, "metadata": plain(one.metadata)} for one in reader.load_data(url=url)]


def call(request):
    kind, method = request["client"], request["method"]
    args, options = request.get("args", []), request.get("options", {})
    if "file" in options:
        options = {**options, "file": base64.b64decode(options["file"])}
    if kind == "own":
        return globals()[method](*args)
    if kind == "own_async":
        return asyncio.run(globals()[method](*args))
    if kind == "async":

        async def run():
            return await getattr(AsyncFirecrawl(api_key=KEY, api_url=URL), method)(*args, **options)

        return asyncio.run(run())
    return getattr(Firecrawl(api_key=KEY, api_url=URL), method)(*args, **options)


print(json.dumps({"id": 0, "result": "ready"}), flush=True)
for line in sys.stdin:
    request = json.loads(line)
    try:
        outcome = {"result": plain(call(request))}
    except Exception as error:
        outcome = {"error": {"name": type(error).__name__, "message": str(error)}}
    print(json.dumps({"id": request["id"], **outcome}, default=str), flush=True)
