"""Keeps passages of a site in step with it: an SQLite database, searched by words and by vectors.

Usage: python3 sync.py SITE DATABASE [QUESTION]
TRAWL is the address of the API, KEY an API key. SITE is a name of PUT /v1/sites/NAME.
"""

import json
import os
import sqlite3
import struct
import sys
import zlib
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen

PASSAGE_CHARS = 1_500
SIZE = 256


def embed(text):
    """A stand-in that needs no model: words counted by a hash. Put your embeddings in its place."""
    vector = [0.0] * SIZE
    for word in text.lower().split():
        vector[zlib.crc32(word.encode()) % SIZE] += 1.0
    length = sum(value * value for value in vector) ** 0.5 or 1.0
    return struct.pack(f"{SIZE}f", *(value / length for value in vector))


def nearness(a, b):
    return sum(x * y for x, y in zip(struct.unpack(f"{SIZE}f", a), struct.unpack(f"{SIZE}f", b)))


def passages(markdown):
    """Paragraphs together up to a length."""
    parts, part = [], ""
    for block in markdown.split("\n\n"):
        if part and len(part) + len(block) > PASSAGE_CHARS:
            parts, part = [*parts, part], ""
        part = f"{part}\n\n{block}".strip()
    return [*parts, part] if part else parts


def changes(site, since):
    """The lines of the API: upsert and delete of pages, and the crawl after which they hold."""
    query = f"?{urlencode({'since': since})}" if since else ""
    url = f"{os.environ['TRAWL']}/v1/sites/{quote(site)}/changes{query}"
    try:
        with urlopen(Request(url, headers={"x-api-key": os.environ["KEY"]}), timeout=300) as lines:
            for line in lines:
                yield json.loads(line)
    except HTTPError as error:
        sys.exit(f"{url}: {json.load(error)['error']}")


def sync(db, site):
    db.execute("CREATE TABLE IF NOT EXISTS passages (page TEXT, url TEXT, text TEXT, vector BLOB)")
    db.execute("CREATE INDEX IF NOT EXISTS of_page ON passages (page)")
    db.execute("CREATE TABLE IF NOT EXISTS synced (site TEXT PRIMARY KEY, crawl TEXT)")
    row = db.execute("SELECT crawl FROM synced WHERE site = ?", (site,)).fetchone()
    counts = {"upsert": 0, "delete": 0, "crawl": 0}
    for line in changes(site, row[0] if row else None):
        counts[line["op"]] += 1
        if line["op"] == "crawl":
            # What was read so far and the place to go on from: together, or not at all.
            db.execute("INSERT OR REPLACE INTO synced VALUES (?, ?)", (site, line["id"]))
            db.commit()
            continue
        db.execute("DELETE FROM passages WHERE page = ?", (line["id"],))
        for text in passages(line.get("result", {}).get("markdown") or ""):
            db.execute("INSERT INTO passages VALUES (?, ?, ?, ?)", (line["id"], line["url"], text, embed(text)))
    return counts


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    database = sqlite3.connect(sys.argv[2])
    done = sync(database, sys.argv[1])
    print(f"{done['upsert']} pages put in, {done['delete']} taken out, {done['crawl']} crawls")
    if len(sys.argv) > 3:
        asked = embed(" ".join(sys.argv[3:]))
        # A vector database, such as sqlite-vec or pgvector, does this without reading all of them.
        rows = database.execute("SELECT url, text, vector FROM passages").fetchall()
        for url, text, _ in sorted(rows, key=lambda row: -nearness(asked, row[2]))[:3]:
            print(f"\n{url}\n{text}")
