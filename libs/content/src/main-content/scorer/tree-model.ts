import { MODEL_TABLE } from './model-table.js';

/**
 * Trees that compare the numbers of a row one by one; their leaves add up to the score. The table is written by
 * bench/main-content/train_scorer.py: counts, then features, thresholds, children and leaves.
 */
class TreeModel {
  private readonly roots: Int16Array;
  private readonly features: Uint8Array;
  private readonly thresholds: Float32Array;
  /** Two for each comparison: a comparison, or `~` of a leaf. */
  private readonly children: Int16Array;
  private readonly leaves: Float32Array;
  readonly width: number;

  constructor(table: string) {
    const bytes = Uint8Array.from(Buffer.from(table, 'base64'));
    const [trees = 0, splits = 0, leaves = 0, width = 0] = new Int32Array(bytes.buffer, 0, 4);
    let at = 16;
    const next = (size: number): number => {
      const from = at;
      // Each part begins at a multiple of four.
      at += Math.ceil(size / 4) * 4;
      return from;
    };
    this.width = width;
    this.thresholds = new Float32Array(bytes.buffer, next(4 * splits), splits);
    this.leaves = new Float32Array(bytes.buffer, next(4 * leaves), leaves);
    this.roots = new Int16Array(bytes.buffer, next(2 * trees), trees);
    this.children = new Int16Array(bytes.buffer, next(4 * splits), 2 * splits);
    this.features = bytes.subarray(next(splits), at);
  }

  /** Chance that a text is main content, of the row that begins at `from`. */
  score(rows: Float32Array, from: number): number {
    const { roots, features, thresholds, children, leaves } = this;
    let sum = 0;
    for (const root of roots) {
      let node = root;
      while (node >= 0) {
        const value = rows[from + (features[node] ?? 0)] ?? 0;
        node = children[2 * node + (value <= (thresholds[node] ?? 0) ? 0 : 1)] ?? -1;
      }
      sum += leaves[~node] ?? 0;
    }
    return 1 / (1 + Math.exp(-sum));
  }
}

let model: TreeModel | null = null;

/** Built when the first page needs it. */
export function scorerModel(): {
  score(rows: Float32Array, from: number): number;
  readonly width: number;
} {
  model ??= new TreeModel(MODEL_TABLE);
  return model;
}
