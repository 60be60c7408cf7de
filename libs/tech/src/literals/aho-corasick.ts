/** Characters below this represent themselves; the others are all one, but for two. */
const ASCII = 128;
/** KELVIN SIGN and LONG S: a pattern without case takes them for `k` and `s`. */
const FOLDED: ReadonlyMap<number, number> = new Map([
  [0x212a, 0x6b],
  [0x17f, 0x73],
]);
/** The first nodes get a whole row of the table each: most of a text never leads deeper. */
const MAX_DENSE_CELLS = 65_536;

/** Nodes in the order of breadth, the root first. */
interface Trie {
  readonly parents: Int32Array;
  /** Class of the character that leads here. */
  readonly classes: Uint8Array;
  /** Index of the literal that ends here, or -1. */
  readonly ends: Int32Array;
}

/**
 * Finds all of many literals in one pass over a text, whatever their number: each character costs a
 * step down and, over the whole text, at most one step up. Letters match in either case. The
 * literals are ASCII in lower case, each once.
 */
export class AhoCorasick {
  private readonly classOf = new Uint8Array(ASCII);
  private readonly classCount: number;
  private readonly denseNodes: number;
  private readonly dense: Int32Array;
  private readonly keys: Int32Array;
  private readonly targets: Int32Array;
  private readonly mask: number;
  private readonly fail: Int32Array;
  private readonly literalAt: Int32Array;
  /** Next node up the failures at which a literal ends, 0 for none. */
  private readonly outputLink: Int32Array;

  constructor(readonly literals: readonly string[]) {
    this.classCount = this.fillClasses();
    const trie = this.buildTrie();
    const nodes = trie.parents.length;
    const slots = 2 ** Math.ceil(Math.log2(nodes * 2 + 2));
    this.mask = slots - 1;
    this.keys = new Int32Array(slots).fill(-1);
    this.targets = new Int32Array(slots);
    this.fillTable(trie);
    this.fail = this.failures(trie);
    this.literalAt = trie.ends;
    this.outputLink = new Int32Array(nodes);
    for (let node = 1; node < nodes; node++) {
      const up = this.fail[node] as number;
      this.outputLink[node] = this.literalAt[up] === -1 ? (this.outputLink[up] as number) : up;
    }
    this.denseNodes = Math.min(nodes, Math.max(1, Math.floor(MAX_DENSE_CELLS / this.classCount)));
    this.dense = this.denseRows(trie);
  }

  /**
   * Calls `onHit` with the literal's index and the position after it, in the order of their ends.
   */
  scan(
    text: string,
    onHit: (literal: number, end: number) => void,
    from = 0,
    to = text.length,
  ): void {
    const { classOf, dense, classCount, denseNodes, literalAt, outputLink } = this;
    let node = 0;
    for (let at = from; at < to; at++) {
      const code = text.charCodeAt(at);
      const cls = code < ASCII ? (classOf[code] as number) : this.foldedClass(code);
      if (cls === 0) {
        node = 0;
        continue;
      }
      node = node < denseNodes ? (dense[node * classCount + cls] as number) : this.step(node, cls);
      if (literalAt[node] !== -1) onHit(literalAt[node] as number, at + 1);
      for (let up = outputLink[node] as number; up !== 0; up = outputLink[up] as number)
        onHit(literalAt[up] as number, at + 1);
    }
  }

  private foldedClass(code: number): number {
    const folded = FOLDED.get(code);
    return folded === undefined ? 0 : (this.classOf[folded] as number);
  }

  private step(node: number, cls: number): number {
    let at = node;
    while (at >= this.denseNodes) {
      const next = this.childOf(at, cls);
      if (next !== 0) return next;
      at = this.fail[at] as number;
    }
    return this.dense[at * this.classCount + cls] as number;
  }

  private childOf(node: number, cls: number): number {
    const key = node * this.classCount + cls;
    for (let slot = hashOf(key) & this.mask; ; slot = (slot + 1) & this.mask) {
      const found = this.keys[slot] as number;
      if (found === key) return this.targets[slot] as number;
      if (found === -1) return 0;
    }
  }

  /** Class 0 is every character that no literal has. */
  private fillClasses(): number {
    let next = 1;
    for (const literal of this.literals)
      for (let at = 0; at < literal.length; at++) {
        const code = literal.charCodeAt(at);
        if (code >= ASCII) throw new Error(`not an ASCII literal: ${literal}`);
        if (this.classOf[code] === 0) this.classOf[code] = next++;
      }
    for (let code = 0x41; code <= 0x5a; code++)
      this.classOf[code] = this.classOf[code + 0x20] as number;
    return next;
  }

  private buildTrie(): Trie {
    const { literals, classOf, classCount } = this;
    const edges = new Map<number, number>();
    const nodes: { readonly parent: number; readonly cls: number; readonly depth: number }[] = [
      { parent: 0, cls: 0, depth: 0 },
    ];
    const endOf = literals.map((literal) => {
      let node = 0;
      for (let at = 0; at < literal.length; at++) {
        const cls = classOf[literal.charCodeAt(at)] as number;
        const key = node * classCount + cls;
        const child = edges.get(key) ?? nodes.length;
        if (child === nodes.length) {
          nodes.push({ parent: node, cls, depth: at + 1 });
          edges.set(key, child);
        }
        node = child;
      }
      return node;
    });
    return inBreadth(nodes, endOf);
  }

  /** Rows of the first nodes with the failures worked in, so that a step is one look. */
  private denseRows({ parents, classes }: Trie): Int32Array {
    const { classCount, fail, denseNodes } = this;
    const rows = new Int32Array(denseNodes * classCount);
    let child = 1;
    for (let node = 0; node < denseNodes; node++) {
      const up = (fail[node] as number) * classCount;
      if (node > 0) rows.copyWithin(node * classCount, up, up + classCount);
      for (; child < parents.length && parents[child] === node; child++)
        rows[node * classCount + (classes[child] as number)] = child;
    }
    return rows;
  }

  private fillTable({ parents, classes }: Trie): void {
    for (let child = 1; child < parents.length; child++) {
      const key = (parents[child] as number) * this.classCount + (classes[child] as number);
      let slot = hashOf(key) & this.mask;
      while (this.keys[slot] !== -1) slot = (slot + 1) & this.mask;
      this.keys[slot] = key;
      this.targets[slot] = child;
    }
  }

  /** For each node the longest proper end of its text that is a node too. */
  private failures({ parents, classes }: Trie): Int32Array {
    const fail = new Int32Array(parents.length);
    for (let node = 1; node < parents.length; node++) {
      const cls = classes[node] as number;
      let up = parents[node] as number;
      let target = 0;
      while (up !== 0 && target === 0) {
        up = fail[up] as number;
        target = this.childOf(up, cls);
      }
      fail[node] = target;
    }
    return fail;
  }
}

/** Numbers nodes by their depth, so that the children of a node are adjacent. */
function inBreadth(
  nodes: readonly { readonly parent: number; readonly cls: number; readonly depth: number }[],
  endOf: readonly number[],
): Trie {
  const order = nodes.map((_, node) => node);
  const place = new Int32Array(nodes.length);
  const depthOf = (node: number): number => nodes[node]?.depth ?? 0;
  const byDepth: number[][] = [];
  for (const node of order) (byDepth[depthOf(node)] ??= []).push(node);
  let next = 0;
  for (const level of byDepth) {
    level.sort((a, b) => parentPlace(a) - parentPlace(b));
    for (const node of level) place[node] = next++;
  }
  function parentPlace(node: number): number {
    return place[nodes[node]?.parent ?? 0] as number;
  }
  const parents = new Int32Array(nodes.length);
  const classes = new Uint8Array(nodes.length);
  for (const node of order) {
    parents[place[node] as number] = parentPlace(node);
    classes[place[node] as number] = nodes[node]?.cls ?? 0;
  }
  const ends = new Int32Array(nodes.length).fill(-1);
  for (const [literal, node] of endOf.entries()) ends[place[node] as number] = literal;
  return { parents, classes, ends };
}

function hashOf(key: number): number {
  const mixed = Math.imul(key, 0x9e3779b1);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}
