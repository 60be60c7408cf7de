import { MODEL_PRICES } from './llm-client.js';
import { LlmBudget } from './llm-budget.js';

const { low, high } = MODEL_PRICES;
const never = new AbortController().signal;
const lowTerms = { price: low, signal: never };
const highTerms = { price: high, signal: never };

describe('the budget for models', () => {
  it.each([
    // 1,000 × 0.14 + 0 = exactly 140 micro-dollars.
    [{ inputTokens: 1_000, outputTokens: 0 }, 140, true],
    [{ inputTokens: 1_001, outputTokens: 0 }, 140, false],
    [{ inputTokens: 1_001, outputTokens: 0 }, 141, true],
    [{ inputTokens: 0, outputTokens: 500 }, 140, true],
    [{ inputTokens: 0, outputTokens: 501 }, 140, false],
  ])('lets %j in under %i micro-dollars: %p', async (worst, limit, isIn) => {
    const reserved = await new LlmBudget(limit).reserve(worst, lowTerms);
    expect(reserved !== null).toBe(isIn);
  });

  it('adds calls up before it rounds', async () => {
    const budget = new LlmBudget(1_000);
    for (let times = 0; times < 10; times++) {
      const worst = { inputTokens: 1, outputTokens: 1 };
      (await budget.reserve(worst, lowTerms))?.settle(worst, false);
    }
    // 10 × 0.42, not 10 × 1.
    expect(budget.usage('m', 1.6)).toEqual({
      model: 'm',
      calls: 10,
      inputTokens: 10,
      outputTokens: 10,
      costMicroUsd: 5,
      latencyMs: 2,
    });
  });

  it('releases the unused part of a call, and all of a call that was not sent', async () => {
    const budget = new LlmBudget(100);
    const worst = { inputTokens: 0, outputTokens: 25 };
    const first = await budget.reserve(worst, highTerms);
    first?.settle({ inputTokens: 0, outputTokens: 5 }, false);
    expect(budget.usage('', 0).costMicroUsd).toBe(20);
    expect(await budget.reserve(worst, highTerms)).toBeNull();
    const second = await budget.reserve({ inputTokens: 0, outputTokens: 20 }, highTerms);
    second?.release();
    expect(budget.usage('', 0)).toMatchObject({ calls: 1, costMicroUsd: 20 });
    expect(await budget.reserve({ inputTokens: 0, outputTokens: 20 }, highTerms)).not.toBeNull();
  });

  it('counts a call once', async () => {
    const budget = new LlmBudget(100);
    const reserved = await budget.reserve({ inputTokens: 0, outputTokens: 25 }, highTerms);
    reserved?.settle({ inputTokens: 0, outputTokens: 5 }, false);
    reserved?.release();
    reserved?.settle({ inputTokens: 0, outputTokens: 5 }, false);
    expect(budget.usage('', 0)).toMatchObject({ calls: 1, costMicroUsd: 20 });
  });

  it('does not believe a count that cannot be', async () => {
    const budget = new LlmBudget(100);
    const reserved = await budget.reserve({ inputTokens: 0, outputTokens: 25 }, highTerms);
    reserved?.settle({ inputTokens: 1e12, outputTokens: 26 }, false);
    expect(budget.usage('', 0)).toMatchObject({ outputTokens: 25, costMicroUsd: 100 });
    expect(budget.isEstimated).toBe(true);
  });

  it('lets a call wait for the budget that others may release', async () => {
    const budget = new LlmBudget(100);
    const worst = { inputTokens: 0, outputTokens: 20 };
    const first = await budget.reserve(worst, highTerms);
    const second = budget.reserve(worst, highTerms);
    first?.settle({ inputTokens: 0, outputTokens: 5 }, false);
    expect(await second).not.toBeNull();
  });

  it('ends the wait when pending releases cannot suffice', async () => {
    const budget = new LlmBudget(100);
    const worst = { inputTokens: 0, outputTokens: 20 };
    const first = await budget.reserve(worst, highTerms);
    const second = budget.reserve(worst, highTerms);
    first?.settle(worst, false);
    expect(await second).toBeNull();
  });

  it('bounds an output to the rest of the budget, but not below the useful minimum', async () => {
    const budget = new LlmBudget(100);
    const worst = { inputTokens: 50, outputTokens: 1_000 };
    // 50 × 0.8 leaves 60 micro-dollars, 15 tokens at 4.
    const bounded = await budget.reserve(worst, { ...highTerms, minOutputTokens: 15 });
    expect(bounded?.worst).toEqual({ inputTokens: 50, outputTokens: 15 });
    bounded?.settle({ inputTokens: 10, outputTokens: 1_000 }, false);
    expect(budget.usage('', 0).costMicroUsd).toBe(68);
    expect(await budget.reserve(worst, { ...highTerms, minOutputTokens: 16 })).toBeNull();
  });

  it('bounds no output while other calls may still release budget', async () => {
    const budget = new LlmBudget(100);
    const worst = { inputTokens: 0, outputTokens: 20 };
    const terms = { ...highTerms, minOutputTokens: 1 };
    const first = await budget.reserve(worst, terms);
    const second = budget.reserve(worst, terms);
    first?.release();
    expect((await second)?.worst).toEqual(worst);
  });

  it('ends the wait with the signal', async () => {
    const budget = new LlmBudget(100);
    const worst = { inputTokens: 0, outputTokens: 20 };
    await budget.reserve(worst, highTerms);
    const caller = new AbortController();
    const second = budget.reserve(worst, { price: high, signal: caller.signal });
    caller.abort();
    expect(await second).toBeNull();
  });

  it('is never exceeded by concurrent calls', async () => {
    const budget = new LlmBudget(1_000);
    const spend = async (seed: number) => {
      const worst = { inputTokens: seed % 7, outputTokens: 5 + (seed % 11) };
      const reserved = await budget.reserve(worst, highTerms);
      await Promise.resolve();
      const outputTokens = (seed * 7) % 30;
      reserved?.settle({ inputTokens: seed % 9, outputTokens }, false);
      return reserved !== null;
    };
    const done = await Promise.all(Array.from({ length: 200 }, (_, seed) => spend(seed)));
    expect(done).toContain(false);
    expect(budget.usage('', 0).costMicroUsd).toBeLessThanOrEqual(1_000);
    expect(budget.usage('', 0).costMicroUsd).toBeGreaterThan(900);
  });
});
