"""Texts and metadata that trafilatura and readability-lxml make of the labelled pages.

Usage: peers.py FOLDER [--held-out]   (FOLDER as ../README.md describes it)
Writes FOLDER/peers/<name>.json: {"<set>/<page>": {"text", "title", "author", "date"}}.
Needs `pip install trafilatura readability-lxml`; neither is a dependency of the project.
"""

import gzip
import json
import sys
from pathlib import Path


def pages(folder, held_out):
    """Pairs of "<set>/<page>" and the page's bytes."""
    split = folder / "wcxb" / ("test" if held_out else "dev")
    for file in sorted((split / "html").glob("*.html.gz")):
        yield f"wcxb/{file.name.removesuffix('.html.gz')}", gzip.decompress(file.read_bytes())
    labels = folder / "trafilatura" / "evaldata.json"
    if labels.exists():
        for at, (url, item) in enumerate(json.loads(labels.read_text("utf-8")).items()):
            if at % 2 != int(held_out):
                continue
            inside = [folder / "trafilatura" / name / item["file"] for name in ("cache", "eval")]
            yield f"trafilatura/{url}", next(file for file in inside if file.exists()).read_bytes()
    for file in sorted((folder / "articles" / "html").glob("*.html.gz")):
        yield f"articles/{file.name.removesuffix('.html.gz')}", gzip.decompress(file.read_bytes())


def with_trafilatura(html):
    from trafilatura import bare_extraction

    found = bare_extraction(html, include_comments=False, include_tables=True, with_metadata=True)
    if found is None:
        return {"text": ""}
    fields = found.as_dict()
    return {name: fields.get(name) for name in ("text", "title", "author", "date") if fields.get(name)}


def with_readability(html):
    from lxml.html import fromstring
    from readability import Document

    document = Document(html.decode("utf-8", "replace"))
    summary = document.summary()
    return {"text": " ".join(fromstring(summary).itertext()), "title": document.short_title()}


PEERS = {"trafilatura": with_trafilatura, "readability": with_readability}


def main(args):
    folder = Path(args[0])
    (folder / "peers").mkdir(exist_ok=True)
    for name, make in PEERS.items():
        file = folder / "peers" / f"{name}.json"
        found = json.loads(file.read_text("utf-8")) if file.exists() else {}
        for page, html in pages(folder, "--held-out" in args):
            if page in found:
                continue
            try:
                found[page] = make(html)
            except Exception as error:  # a page that a peer cannot read counts as empty
                print(f"{name}: {page}: {error}", file=sys.stderr)
                found[page] = {"text": ""}
        file.write_text(json.dumps(found), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
