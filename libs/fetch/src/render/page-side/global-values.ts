declare const window: object;

export interface GlobalTerms {
  /** Paths below one global, cut at their dots. */
  readonly steps: readonly (readonly string[])[];
  readonly maxChars: number;
}

type Thing = Readonly<Record<string, unknown>>;

/**
 * Texts of globals by the index of their path; those that do not exist are left out.
 *
 * Runs in the page's own world, sent as source: it refers to nothing outside itself and calls no method
 * that the page could have put its own in the place of. Reading a property may run the page's code.
 */
export class GlobalValues {
  constructor(private readonly terms: GlobalTerms) {}

  run(): object {
    const found: { __proto__: null; [index: number]: unknown } = { __proto__: null };
    const { steps } = this.terms;
    for (let i = 0; i < steps.length; i++) {
      try {
        const value = this.valueOf(steps[i] as readonly string[]);
        if (value !== undefined && value !== null) found[i] = this.textOf(value);
      } catch {
        // A getter of the page that throws has nothing to say.
      }
    }
    return found;
  }

  private valueOf(steps: readonly string[]): unknown {
    let value: unknown = window;
    for (let k = 0; k < steps.length; k++) {
      if (value === undefined || value === null) return undefined;
      value = (value as Thing)[steps[k] as string];
    }
    return value;
  }

  private textOf(value: unknown): string {
    if (typeof value === 'number') return `${value}`;
    if (typeof value !== 'string') return '';
    if (value.length <= this.terms.maxChars) return value;
    let text = '';
    for (let i = 0; i < this.terms.maxChars; i++) text += value[i];
    return text;
  }
}
