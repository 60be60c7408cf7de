import { seededRandom, type SeededRandom } from '@app/testing';

/** What is killed at a moment. */
export type Victim = 'api' | 'fetcher' | 'standalone' | 'rabbitmq' | 'postgres' | 'rabbitmq-data';

/** How often each is struck, one against the other. */
export type VictimWeights = Readonly<Partial<Record<Victim, number>>>;

export interface PlanOptions {
  readonly seed: number;
  readonly victims: VictimWeights;
  /** Processes killed in all. */
  readonly kills: number;
  /** Pages of the crawl over which the kills are spread. */
  readonly pages: number;
  /** Batches that are requested on the way. */
  readonly batches: number;
}

/** A moment at which processes are killed. */
export interface KillMoment {
  /** It comes when so many pages of the crawl are kept … */
  readonly atPages: number;
  /** … and so much time has passed since. */
  readonly afterMs: number;
  /** Killed at once. */
  readonly victims: readonly Victim[];
  /** Which one of several processes of a kind. */
  readonly choice: number;
  /** A batch is requested this long before; null: none. */
  readonly batchLeadMs: number | null;
}

const MAX_AFTER_MS = 400;
/** Within the time that a POST takes, so that it is answered, or committed, or neither. */
const MAX_LEAD_MS = 40;
/** Of so many moments one has a second victim. */
const PAIRED_OF = 6;
/** Without one of these no process accepts a batch. */
const SERVING: readonly Victim[] = ['api', 'standalone', 'postgres'];

/** The same seed gives the same moments. */
export function planMoments(options: PlanOptions): readonly KillMoment[] {
  const { seed, pages, kills, batches } = options;
  const random = seededRandom(seed);
  const struck = strikes(random, options.victims, kills);
  // Progress and not the clock: so many kills fit into any crawl, on any machine.
  const places = struck.map(() => random.int(0, pages - 1)).toSorted((a, b) => a - b);
  const withBatch = batchPositions(random, struck, batches);
  return struck.map((victims, at) => ({
    atPages: places[at] ?? 0,
    afterMs: random.int(0, MAX_AFTER_MS),
    victims,
    choice: random.int(0, 11),
    batchLeadMs: withBatch.has(at) ? random.int(0, MAX_LEAD_MS) : null,
  }));
}

function strikes(random: SeededRandom, weights: VictimWeights, kills: number): Victim[][] {
  const lots = Object.entries(weights).flatMap(([victim, weight]) =>
    Array.from({ length: weight ?? 0 }, () => victim as Victim),
  );
  const struck: Victim[][] = [];
  for (let left = kills; left > 0; left -= struck.at(-1)?.length ?? 1) {
    const victim = random.pick(lots);
    const others = lots.filter((one) => one !== victim && (one === 'api' || one === 'fetcher'));
    const isPaired = left > 1 && others.length > 0 && random.int(1, PAIRED_OF) === 1;
    struck.push(isPaired ? [victim, random.pick(others)] : [victim]);
  }
  return struck;
}

/** Batches are requested just before what serves them dies, where anything of that dies. */
function batchPositions(
  random: SeededRandom,
  struck: readonly (readonly Victim[])[],
  batches: number,
): ReadonlySet<number> {
  const all = [...struck.keys()];
  const serving = all.filter((at) => struck[at]?.some((victim) => SERVING.includes(victim)));
  const free = serving.length >= batches ? serving : all;
  const taken = new Set<number>();
  while (taken.size < Math.min(batches, free.length)) taken.add(random.pick(free));
  return taken;
}
