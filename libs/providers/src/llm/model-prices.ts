import type { ModelClass } from '@app/contracts';

/** Micro-dollars per million tokens (specification: POST /v1/extract, Model routing). */
export const MODEL_PRICES: Readonly<
  Record<ModelClass, { readonly input: number; readonly output: number }>
> = {
  free: { input: 0, output: 0 },
  low: { input: 140_000, output: 280_000 },
  high: { input: 800_000, output: 4_000_000 },
  top: { input: 3_000_000, output: 15_000_000 },
};
