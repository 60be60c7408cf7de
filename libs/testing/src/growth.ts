/** CPU milliseconds that work of size `n` costs when it is done `times` times in a row. */
export type Cost = (n: number, times: number) => number | Promise<number>;

export interface GrowthOptions {
  /**
   * The least size to measure. Small ones hide what is squared behind what is linear.
   * @default 500
   */
  readonly from?: number;
  /**
   * The largest size to measure, a cap of the input most of all: beyond it nothing grows.
   * @default 1000000
   */
  readonly upTo?: number;
}

/**
 * Most that `growthOf` gives for what is linear: four times as much takes four times as long, and a
 * little more when it no longer fits the processor's caches. What is squared takes sixteen times.
 */
export const LINEAR_GROWTH = 10;

const FACTOR = 4;
/** What the smaller size should cost: far above the clock and one collection of garbage. */
const CLEAR_MS = 10;
/** Below this a cost says nothing about growth, even after so many repetitions. */
const FLOOR_MS = 2;
const MAX_TIMES = 1_000;
/** Rounds measured before a ratio counts, by how bad it looks: noise only adds. */
const ROUNDS = { clear: 2, good: 3, bad: 8 } as const;
/** A ratio below this is linear even if the smaller size was measured at twice what it costs. */
const CLEARLY_LINEAR = 6;
/**
 * Where the larger size costs no more plain steps a unit than this, its growth says nothing: what
 * is squared costs thousands, and a scan of a few steps is several times as slow once as another
 * time, by how the engine has compiled it and where its text lies.
 */
const FEW_STEPS = 50;
/** What is far too slow in every round is not noise: no more rounds of seconds each. */
const HOPELESS_MS = 2_000;

/**
 * How many times as long four times as much takes: about 4 when time is linear in the size, 16 when
 * it is squared; compare with `LINEAR_GROWTH`. No absolute time counts, so a slow or busy machine
 * cannot fail it: both sizes are measured in turns, of each the least counts, for noise only adds,
 * and a bad ratio is measured again before it is returned. The size is the first of `from`, twice
 * `from`, ... that costs clearly more than noise; where `upTo` leaves no such size, the work is
 * repeated.
 */
export async function growthOf(
  cost: Cost,
  { from = 500, upTo = 1_000_000 }: GrowthOptions = {},
): Promise<number> {
  const { n, times } = await clearOf(cost, Math.floor(Math.min(from, upTo / FACTOR)), upTo);
  let small = Infinity;
  let large = Infinity;
  const growth = (): number => large / Math.max(small, FLOOR_MS);
  for (let round = 1; round <= roundsFor(growth(), large); round++) {
    small = Math.min(small, await cost(n, times));
    large = Math.min(large, await cost(FACTOR * n, times));
  }
  const isNothing = large / times <= FACTOR * n * FEW_STEPS * stepMs();
  return growth() >= LINEAR_GROWTH && isNothing ? FACTOR : growth();
}

/** Squared in a text of tens of thousands of units, work takes thousands of steps a unit. */
const LINEAR_STEPS = 400;

/**
 * Whether work of size `n` costs far less than any work that is squared would: no more of its
 * growth has to be measured. Of many kinds of input it leaves the few that cost much.
 */
export async function isFarBelowSquared(cost: Cost, n: number): Promise<boolean> {
  const most = n * LINEAR_STEPS * fastestStepMs();
  return (await cost(n, 1)) <= most || (await cost(n, 1)) <= most;
}

let knownStepMs = Infinity;

function fastestStepMs(): number {
  if (knownStepMs === Infinity) knownStepMs = stepMs();
  return knownStepMs;
}

const STEPS = 1_000_000;

/** What one step of a plain loop takes here and now. */
function stepMs(): number {
  const runs = Array.from({ length: 5 }, () => {
    const startedAtMs = performance.now();
    let sum = 0;
    for (let step = 0; step < STEPS; step++) sum = (sum ^ (sum << 1) ^ step) | 0;
    // The sum is used, so the loop is not left out; it takes from the time nothing that counts.
    return performance.now() - startedAtMs + (sum & 1) * 1e-9;
  });
  return Math.min(...runs) / STEPS;
}

function roundsFor(growth: number, largeMs: number): number {
  if (growth < CLEARLY_LINEAR) return ROUNDS.clear;
  return growth < LINEAR_GROWTH || largeMs > HOPELESS_MS ? ROUNDS.good : ROUNDS.bad;
}

/**
 * Gives what `work` on the input of a size costs, for `growthOf`; the input is built unmeasured.
 * All threads count, so `work` may be a promise of what another does.
 */
export function cpuCost<Input>(
  inputOf: (n: number) => Input,
  work: (input: Input) => unknown,
): Cost {
  const kept = new Map<number, Input>();
  return async (n, times) => {
    const input = kept.get(n) ?? inputOf(n);
    keepPlain(kept, n, input);
    const startedAtMs = performance.now();
    const before = process.cpuUsage();
    for (let time = 0; time < times; time++) await work(input);
    const { user, system } = process.cpuUsage(before);
    // Other processes add to the first and other threads to the second: the less is nearer.
    return Math.min(performance.now() - startedAtMs, (user + system) / 1_000);
  };
}

/**
 * Text and bytes of the sizes in turn are built once: large ones built anew each time would have
 * their garbage collected while the work is measured. Of other inputs something may be remembered
 * by the work.
 */
function keepPlain<Input>(kept: Map<number, Input>, n: number, input: Input): void {
  for (const size of kept.keys())
    if (size !== n && size !== FACTOR * n && FACTOR * size !== n) kept.delete(size);
  if (typeof input === 'string' || ArrayBuffer.isView(input)) kept.set(n, input);
}

/** The first size, and then the first number of times, whose cost is clear of noise. */
async function clearOf(
  cost: Cost,
  from: number,
  upTo: number,
): Promise<{ readonly n: number; readonly times: number }> {
  let n = from;
  let times = 1;
  // The less of two runs: the first may be of code that is not compiled yet.
  while (Math.min(await cost(n, times), await cost(n, times)) < CLEAR_MS) {
    if (2 * n * FACTOR <= upTo) n *= 2;
    else if (2 * times <= MAX_TIMES) times *= 2;
    else break;
  }
  return { n, times };
}
