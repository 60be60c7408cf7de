"""Prints the passages of a crawled site that have the words of a question, as a prompt for a model.

Usage: python3 answers.py JOB_ID QUESTION
TRAWL is the address of the API, KEY an API key. The job must have been started with "index": true.
"""

import json
import os
import re
import sys
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

PAGES = 5
PASSAGES = 4
PASSAGE_CHARS = 1_500
# Words that are in every text say nothing about it.
LEAST_WORD_CHARS = 4


def call(path, **query):
    url = f"{os.environ['TRAWL']}{path}?{urlencode(query)}"
    try:
        with urlopen(Request(url, headers={"x-api-key": os.environ["KEY"]}), timeout=30) as response:
            return json.load(response)
    except HTTPError as error:
        sys.exit(f"{path}: {json.load(error)['error']}")


def sections(markdown):
    """The parts of a page from one heading to the next; a # in a block of code is none."""
    parts, is_code = [[]], False
    for line in markdown.splitlines():
        is_code ^= line.lstrip().startswith("```")
        if not is_code and re.match(r"#{1,6} ", line):
            parts.append([])
        parts[-1].append(line)
    return ["\n".join(part).strip() for part in parts]


def passages(job_id, words):
    """The best sections of the pages that the search finds, each with its address."""
    found = call(f"/v1/crawl/{job_id}/search", q=" or ".join(words), limit=PAGES)["results"]
    rated = []
    for rank, page in enumerate(found):
        results = call(f"/v1/crawl/{job_id}/results", cursor=page["resultNo"] - 1, limit=1)["results"]
        for section in sections(results[0]["markdown"]):
            # The beginning of a word stands for its forms.
            hits = sum(word[:5] in section.lower() for word in words)
            if hits:
                rated.append((-hits, rank, page["url"], section[:PASSAGE_CHARS]))
    return [(url, section) for _, _, url, section in sorted(rated)[:PASSAGES]]


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    question = " ".join(sys.argv[2:])
    words = [word for word in re.findall(r"\w+", question.lower()) if len(word) >= LEAST_WORD_CHARS]
    if not words:
        sys.exit("The question has no word to search for.")
    print("Answer the question from these passages alone. Cite their numbers.")
    print(f"Question: {question}")
    for number, (url, passage) in enumerate(passages(sys.argv[1], words), 1):
        print(f"\n[{number}] {url}\n{passage}")
