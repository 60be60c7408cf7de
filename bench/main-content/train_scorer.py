"""Trains the scorer of texts that pages without a declared article are read by.

Usage: train_scorer.py FEATURES [--folds 3] [--write libs/content/src/main-content/scorer/tree-model.ts]
FEATURES: what `npm run bench -- --suite main-content --data FOLDER --only wcxb --features FEATURES` wrote.
Prints the F1 on held-out folds of domains beside that of the rules; --write trains on all pages and writes the table.
Needs `pip install lightgbm`, which is no dependency of the project.
"""

import argparse
import base64
import json
import re
import struct
from collections import Counter, defaultdict

import lightgbm
import numpy

WORD = re.compile(r"\w+")
TREES = 80
RECALL_WEIGHT = 0.8
PARAMETERS = {
    "objective": "cross_entropy",
    "num_leaves": 31,
    "learning_rate": 0.12,
    "force_row_wise": True,
    "min_child_samples": 200,
    "min_sum_hessian_in_leaf": 0.01,
    "feature_fraction": 0.3,
    "max_bin": 63,
    "lambda_l2": 2,
    "num_threads": 2,
    "deterministic": True,
    "seed": 1,
    "verbose": -1,
}
# Texts this far from where their neighbours are in the label are not searched there.
SLACK = 120


def shares_of(page):
    """The share of each text that is in the label, by rows of three words; short texts by place."""
    label = WORD.findall(page["text"].lower())
    rows, words = defaultdict(list), defaultdict(list)
    for at, word in enumerate(label):
        words[word].append(at)
        if at + 2 < len(label):
            rows[tuple(label[at : at + 3])].append(at)
    texts = [WORD.findall(text.lower()) for text, _ in page["units"]]
    shares, places, used = [None] * len(texts), [None] * len(texts), Counter()
    for number, text in enumerate(texts):
        if len(text) < 4:
            continue
        own = [tuple(text[at : at + 3]) for at in range(len(text) - 2)]
        found = [rows[row][used[row]] for row in own if used[row] < len(rows.get(row, ()))]
        shares[number] = len(found) / len(own)
        if shares[number] >= 0.5:
            used.update(own)
            places[number] = sorted(found)[len(found) // 2]
    before = numpy.zeros(len(texts), int)
    after = numpy.zeros(len(texts), int)
    last, following = -1, len(label)
    for number in range(len(texts)):
        before[number] = last
        last = last if places[number] is None else places[number]
    for number in reversed(range(len(texts))):
        after[number] = following
        following = following if places[number] is None else places[number]
    for number, text in enumerate(texts):
        if shares[number] is not None:
            continue
        low = before[number] - SLACK if before[number] >= 0 else max(0, after[number] - SLACK)
        high = after[number] + SLACK if after[number] < len(label) else before[number] + SLACK
        isFound = text and any(
            label[at : at + len(text)] == text and low <= at <= high for at in words.get(text[0], ())
        )
        shares[number] = 1.0 if isFound else 0.0
    return numpy.array(shares), numpy.array([len(text) for text in texts], float)


def read(file):
    pages = [json.loads(line) for line in open(f"{file}.jsonl", encoding="utf-8")]
    width = next(page["width"] for page in pages if page["width"])
    rows = numpy.fromfile(f"{file}.bin", dtype=numpy.float32).reshape(-1, width)
    at = 0
    for page in pages:
        page["rows"] = slice(at, at + len(page["units"]))
        at += len(page["units"])
        page["shares"], page["words"] = shares_of(page)
        page["label"] = Counter(WORD.findall(page["text"].lower()))
        host = re.sub(r"^\w+://", "", page["url"]).split("/")[0].split(":")[0]
        page["domain"] = ".".join(host.split(".")[-2:])
    return pages, rows


def weights_of(pages):
    """What a wrong text costs of the page's F1."""
    sizes = [max(1, sum(page["label"].values())) for page in pages]
    return numpy.concatenate([numpy.minimum(page["words"], size) / size for page, size in zip(pages, sizes)]) + 0.002


def train(rows, shares, weights):
    # Texts that cost little are sampled; the others stand for them.
    chance = numpy.clip(weights / 0.02, 0.15, 1)
    chosen = numpy.random.RandomState(1).rand(len(weights)) < chance
    data = lightgbm.Dataset(rows[chosen], shares[chosen], weight=(weights / chance)[chosen])
    return lightgbm.train(PARAMETERS, data, TREES)


def kept(scores, words):
    if not len(scores):
        return scores > 0
    order = numpy.argsort(-scores)
    hits = numpy.cumsum((scores * words)[order])
    ink = numpy.cumsum(words[order]) + RECALL_WEIGHT * (scores * words).sum()
    return scores >= scores[order[numpy.argmax(hits / numpy.maximum(ink, 1e-9))]]


def f1(page, keeps):
    found = Counter()
    for (text, _), keep in zip(page["units"], keeps):
        if keep:
            found.update(WORD.findall(text.lower()))
    both = sum(page["label"].values()) + sum(found.values())
    return 2 * sum((found & page["label"]).values()) / both if both else 1.0


def report(name, pages, values):
    groups = defaultdict(list)
    for page, value in zip(pages, values):
        groups[page["group"]].append(value)
    kinds = "  ".join(f"{kind} {numpy.mean(found):.3f}" for kind, found in sorted(groups.items()))
    print(f"{name:8} {numpy.mean(values):.4f}  {kinds}", flush=True)


def table_of(model):
    """Bytes that tree-model.ts reads."""
    roots, features, thresholds, children, leaves = [], [], [], [], []
    for tree in model.dump_model()["tree_info"]:

        def add(node):
            if "leaf_value" in node:
                leaves.append(node["leaf_value"])
                return ~(len(leaves) - 1)
            at = len(features)
            features.append(node["split_feature"])
            thresholds.append(node["threshold"])
            children.extend([0, 0])
            children[2 * at] = add(node["left_child"])
            children[2 * at + 1] = add(node["right_child"])
            return at

        roots.append(add(tree["tree_structure"]))

    def part(form, values):
        packed = struct.pack(f"<{len(values)}{form}", *values)
        return packed + bytes(-len(packed) % 4)

    head = struct.pack("<4i", len(roots), len(features), len(leaves), model.num_feature())
    return (
        head + part("f", thresholds) + part("f", leaves) + part("h", roots) + part("h", children) + part("B", features)
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("features")
    parser.add_argument("--folds", type=int, default=3)
    parser.add_argument("--write")
    options = parser.parse_args()
    pages, rows = read(options.features)
    shares = numpy.concatenate([page["shares"] for page in pages])
    weights = weights_of(pages)
    if options.folds > 1:
        domains = sorted({page["domain"] for page in pages})
        numpy.random.RandomState(1).shuffle(domains)
        fold_of = {domain: at % options.folds for at, domain in enumerate(domains)}
        folds = numpy.concatenate([numpy.full(len(page["units"]), fold_of[page["domain"]]) for page in pages])
        scores = numpy.zeros(len(rows))
        for fold in range(options.folds):
            model = train(rows[folds != fold], shares[folds != fold], weights[folds != fold])
            scores[folds == fold] = model.predict(rows[folds == fold])
        report("rules", pages, [f1(page, [keep for _, keep in page["units"]]) for page in pages])
        report("scorer", pages, [f1(page, kept(scores[page["rows"]], page["words"])) for page in pages])
    if options.write:
        table = base64.b64encode(table_of(train(rows, shares, weights))).decode()
        with open(options.write, "w", encoding="utf-8") as file:
            file.write("/** Written by bench/main-content/train_scorer.py from WCXB's pages for development (CC BY 4.0). */\n")
            file.write(f"export const MODEL_TABLE =\n  '{table}';\n")


if __name__ == "__main__":
    main()
