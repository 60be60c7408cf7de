import type { Answered, AddressRun, ItemAnswer, MemoryShare } from './address-run.js';
import type { BatchSummary } from './batch.dto.js';

/** Format of a batch's response. */
export type BatchForm = 'json' | 'ndjson';

export interface AnswerSource {
  readonly total: number;
  /** Indexes whose result is known before the run. */
  readonly refused: readonly { readonly place: number; readonly answer: ItemAnswer }[];
  readonly run: Pick<AddressRun, 'answers'>;
  readonly memory: MemoryShare;
  readonly signal: AbortSignal;
}

/**
 * White space that keeps the connection open for the client and for proxies that cut silent connections.
 * Allowed before any value of a JSON text (RFC 8259, 2).
 */
const ALIVE = ' ';

/** The response body, piece by piece. Ends early if the client disconnects. */
export async function* writeAnswers(form: BatchForm, source: AnswerSource): AsyncGenerator<Buffer> {
  const tally = new Tally(source.total);
  const items = form === 'json' ? inOrder(source, tally) : asCompleted(source, tally);
  try {
    if (form === 'json') yield Buffer.from('{"results":[');
    yield* items;
    if (source.signal.aborted) return;
    yield Buffer.from(form === 'json' ? `],${tally.members()}}` : `{${tally.members()}}\n`);
  } finally {
    source.memory.close();
  }
}

/** A result for a later index waits for its turn, as long as there is memory for it. */
async function* inOrder(source: AnswerSource, tally: Tally): AsyncGenerator<Buffer> {
  const ready = new Map<number, Placed>();
  for (const { place, answer } of source.refused) ready.set(place, { answer, isLast: true });
  for (const { answer } of source.refused) source.memory.hold(answer.rest.byteLength);
  let next = 0;
  const due = function* (): Generator<Buffer> {
    for (let placed = ready.get(next); placed; placed = ready.get(++next)) {
      ready.delete(next);
      tally.count(placed.answer);
      if (placed.isLast) source.memory.release(placed.answer.rest.byteLength);
      yield itemOf(next, placed.answer, { before: next === 0 ? '' : ',\n', after: '' });
    }
  };
  yield* due();
  for await (const one of source.run.answers()) {
    if (one === null) {
      yield Buffer.from(ALIVE);
      continue;
    }
    for (const [place, placed] of placesOf(one, tally)) ready.set(place, placed);
    yield* due();
  }
}

async function* asCompleted(source: AnswerSource, tally: Tally): AsyncGenerator<Buffer> {
  for (const { place, answer } of source.refused) {
    tally.count(answer);
    yield itemOf(place, answer, LINE);
  }
  for await (const one of source.run.answers()) {
    if (one === null) {
      yield Buffer.from(ALIVE);
      continue;
    }
    for (const [place, { answer, isLast }] of placesOf(one, tally)) {
      tally.count(answer);
      if (isLast) source.memory.release(answer.rest.byteLength);
      yield itemOf(place, answer, LINE);
    }
  }
}

const LINE = { before: '', after: '\n' };

interface Placed {
  readonly answer: ItemAnswer;
  /** No later index has the same result. */
  readonly isLast: boolean;
}

/** A URL listed twice is returned twice and charged once. */
function placesOf({ address, answer }: Answered, tally: Tally): [number, Placed][] {
  tally.charge(answer);
  const { places } = address;
  return places.map((place, at) => [place, { answer, isLast: at === places.length - 1 }]);
}

function itemOf(
  index: number,
  { rest }: ItemAnswer,
  { before, after }: { readonly before: string; readonly after: string },
): Buffer {
  return Buffer.concat([Buffer.from(`${before}{"index":${index},`), rest, Buffer.from(after)]);
}

/** The summary. */
class Tally {
  private ok = 0;
  private failed = 0;
  private credits = 0;

  constructor(private readonly total: number) {}

  count({ ok }: ItemAnswer): void {
    if (ok) this.ok++;
    else this.failed++;
  }

  charge({ credits }: ItemAnswer): void {
    this.credits += credits;
  }

  members(): string {
    const { total, ok, failed } = this;
    const summary: BatchSummary = { total, ok, failed };
    return `"summary":${JSON.stringify(summary)},"creditsUsed":${this.credits}`;
  }
}
