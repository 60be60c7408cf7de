const USUAL_WIDTH = 160;

/** Rows of numbers, one for each text of a page: what the trees of the model compare. */
export class FeatureRows {
  private values: Float32Array;
  private at = 0;

  /** @param count rows that are expected */
  constructor(count: number) {
    this.values = new Float32Array(Math.max(1, count) * USUAL_WIDTH);
  }

  add(value: number): void {
    if (this.at === this.values.length) this.grow();
    this.values[this.at++] = value;
  }

  addFlag(flag: boolean): void {
    this.add(flag ? 1 : 0);
  }

  addAll(values: readonly number[]): void {
    for (const value of values) this.add(value);
  }

  finish(): Float32Array {
    return this.values.subarray(0, this.at);
  }

  private grow(): void {
    const grown = new Float32Array(2 * this.values.length);
    grown.set(this.values);
    this.values = grown;
  }
}

/** Sizes are compared by their order of magnitude. */
export const logOf = (value: number): number => Math.log2(1 + value);

export const ratioOf = (part: number, all: number): number => (all === 0 ? 0 : part / all);
