"""Values that a schema cannot describe: existing URLs and ids, and short waits.

Only valid values are replaced, by other valid ones: values that must cause an error are kept.
"""

import json
import os
import re

import schemathesis
from hypothesis import strategies as st

SITE = os.environ["TRAWL_SITE"]
IDS = json.loads(os.environ["TRAWL_IDS"])
PATHS = ("/", "/about", "/docs", "/contact")

MAX_WAIT_MS = 50
SCHEMA = {"type": "object", "properties": {"price": {"type": ["number", "null"]}}}
HEADERS = {"accept-language": "fr"}
PLAIN_URL = re.compile(r"https?://[\w.-]+(:\d+)?(/[\w./-]*)?")
COMPANY_PATHS = ("/v1/brand", "/v1/enrich", "/v1/enrich/website")
COOKIES = {"/v1/screenshot": "[]"}

schemathesis.openapi.format("uri", st.sampled_from([SITE + path for path in PATHS]))


def is_text(value, least=1, most=2_048):
    return isinstance(value, str) and least <= len(value) <= most


def at_site(value):
    """Examples of the document, and addresses out of answers, lead out of here."""
    if is_text(value) and not value.startswith(SITE) and PLAIN_URL.fullmatch(value):
        return SITE + "/"
    if isinstance(value, list):
        return [at_site(one) for one in value]
    if isinstance(value, dict):
        return {name: at_site(one) for name, one in value.items()}
    return value


def is_texts(value, most, most_chars):
    return isinstance(value, list) and len(value) <= most and all(is_text(one, 0, most_chars) for one in value)


def replaced(name, value, path):
    """The value of a field, or one that means as much and is taken."""
    if name in ("schema", "jsonSchema") and isinstance(value, dict):
        return SCHEMA
    if name == "headers" and isinstance(value, dict) and all(isinstance(one, str) for one in value.values()):
        return HEADERS
    if name == "cookies" and is_text(value, 0, 16_384):
        return COOKIES.get(path, "session=abc")
    if name == "domain" and is_text(value) or name == "url" and path in COMPANY_PATHS and is_text(value):
        return SITE
    if name == "urls" and path == "/v1/batch" and is_texts(value, 100, 10_000):
        return [SITE + PATHS[at % len(PATHS)] for at, _ in enumerate(value)]
    if name == "element" and is_text(value, 0, 1_000):
        return "body"
    if name in ("includeTags", "excludeTags") and is_texts(value, 100, 1_000):
        return ["p" for _ in value]
    if name in ("includePaths", "excludePaths") and is_texts(value, 50, 500):
        return ["/docs" for _ in value]
    if name in ("html", "markdown") and is_text(value):
        return "<h1>Page</h1>"
    if name == "waitFor" and type(value) is int and MAX_WAIT_MS < value <= 60_000:
        return MAX_WAIT_MS
    if name == "actions" and isinstance(value, list):
        return [quick(one) for one in value]
    if name == "scrapeOptions" and isinstance(value, dict):
        return {inner: replaced(inner, one, path) for inner, one in value.items()}
    return value


def quick(action):
    """Waits of all actions together are bounded, which a schema cannot say."""
    if isinstance(action, dict) and type(action.get("ms")) is int and 0 < action["ms"] <= 60_000:
        return {**action, "ms": 1}
    return action


@schemathesis.hook
def before_call(context, case, kwargs):
    if isinstance(case.body, dict):
        body = at_site(case.body)
        case.body = {name: replaced(name, value, case.operation.path) for name, value in body.items()}
    if isinstance(case.query, dict):
        case.query = {name: at_site(value) for name, value in case.query.items()}
    name_resource(case)


def name_resource(case):
    """Every other id is of something that is there; the key of the requests is never one of them."""
    given = case.path_parameters.get("id")
    if given is None:
        return
    known = next((made for start, made in IDS.items() if case.operation.path.startswith(start)), None)
    if given == IDS["spared"] or (known and sum(map(ord, str(given))) % 2 == 0):
        case.path_parameters["id"] = known
