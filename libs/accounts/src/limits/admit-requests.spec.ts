import { setImmediate as nextTurn } from 'node:timers/promises';
import { API_KEY_PREFIX, hashKey } from '../keys/api-key.js';
import { AdmissionGate, type RequestAdmission } from './admit-requests.js';

type Row = Readonly<Record<string, unknown>>;

/** A database that answers on command. */
class FakeDatabase {
  readonly queries: (readonly unknown[])[] = [];
  /** The notes of use, which are no questions. */
  readonly noted: unknown[] = [];
  private readonly held: ((rows: Row[]) => void)[] = [];

  query = (statement: { readonly name: string }, values: readonly unknown[]): Promise<Row[]> => {
    if (statement.name === 'note_key_use') {
      this.noted.push(values[0]);
      return Promise.resolve([]);
    }
    this.queries.push(values);
    return new Promise((resolve) => this.held.push(resolve));
  };

  async answer(...rows: readonly Row[]): Promise<void> {
    this.held.shift()?.([...rows]);
    await settled();
  }
}

/** Until the answers arrived, and the next question is sent. */
async function settled(): Promise<void> {
  await nextTurn();
  await nextTurn();
}

const keyOf = (letter: string): string => `${API_KEY_PREFIX}${letter.repeat(12)}_secret`;
const rowOf = (question: number, letter: string, over: Row = {}): Row => ({
  question,
  ...{ tenantId: letter, plan: 'free', keyId: `key ${letter}`, secretHash: hashKey(keyOf(letter)) },
  ...{ monthlyCredits: null, requestsPerMinute: null, concurrentRequests: null, isUseDue: false },
  ...{ limit: 10, admitted: 1, remaining: 9 },
  ...over,
});

describe('the gate of requests with a key', () => {
  let database: FakeDatabase;
  let gate: AdmissionGate;
  beforeEach(() => {
    database = new FakeDatabase();
    gate = new AdmissionGate(database as never);
  });

  const ask = (letter: string, over: object = {}): Promise<RequestAdmission | null> =>
    gate.pass({ key: keyOf(letter), window: 'calls', leastLimit: 0, ...over });
  const lookups = (at: number): unknown => database.queries[at]?.[0];

  it('sends requests of one turn together, each key and window once', async () => {
    const asked = [ask('a'), ask('b'), ask('a'), ask('a', { window: 'polls', leastLimit: 60 })];
    expect(database.queries).toEqual([]);
    await settled();
    expect(database.queries).toEqual([
      [
        ['a'.repeat(12), 'b'.repeat(12), 'a'.repeat(12)],
        ['a', 'b', 'a'].map((letter) => hashKey(keyOf(letter))),
        ['calls', 'calls', 'polls'],
        [0, 0, 60],
        [2, 1, 1],
        '{"free":10,"hobby":60,"pro":200,"scale":600,"custom":3000}',
      ],
    ]);
    // In the order of the database.
    await database.answer(
      rowOf(2, 'b', { admitted: 0, remaining: 0 }),
      rowOf(3, 'a', { limit: 60, remaining: 59 }),
      rowOf(1, 'a', { admitted: 1, remaining: 0 }),
    );
    const told = (await Promise.all(asked)).map((one) => [
      one?.tenant.id,
      one?.limit,
      one?.isAdmitted,
      one?.remaining,
    ]);
    expect(told).toEqual([
      ['a', 10, true, 0],
      ['b', 10, false, 0],
      ['a', 10, false, 0],
      ['a', 60, true, 59],
    ]);
  });

  it('returns the tenant with its plan and agreement; first come, first served', async () => {
    const asked = [ask('a'), ask('a'), ask('a')];
    await settled();
    const agreed = { monthlyCredits: 1, requestsPerMinute: 2, concurrentRequests: 3 };
    await database.answer(rowOf(1, 'a', { ...agreed, admitted: 2, remaining: 4 }));
    const tenant = { id: 'a', plan: 'free', keyId: 'key a', agreed };
    expect(await Promise.all(asked)).toEqual([
      { tenant, limit: 10, isAdmitted: true, remaining: 5 },
      { tenant, limit: 10, isAdmitted: true, remaining: 4 },
      { tenant, limit: 10, isAdmitted: false, remaining: 0 },
    ]);
  });

  it.each<[string, readonly Row[]]>([
    ['no row', []],
    [
      'a row that was not counted',
      [rowOf(1, 'a', { limit: null, admitted: null, remaining: null })],
    ],
    ['a row of another hash', [rowOf(1, 'a', { secretHash: hashKey(keyOf('b')) })]],
    ['a row without a hash', [rowOf(1, 'a', { secretHash: Buffer.alloc(0) })]],
  ])('admits no request by %s', async (_, rows) => {
    const asked = ask('a');
    await settled();
    await database.answer(...rows.map((row) => ({ ...row, isUseDue: true })));
    expect(await asked).toBeNull();
    expect(database.noted).toEqual([]);
  });

  it.each(['', 'x', API_KEY_PREFIX, `${API_KEY_PREFIX}short_secret`, keyOf('g'), keyOf('\0')])(
    'sends no query for %j, which is no key',
    async (key) => {
      expect(await ask('a', { key })).toBeNull();
      await settled();
      expect(database.queries).toEqual([]);
    },
  );

  it('notes the use of a key when it is due', async () => {
    const asked = [ask('a'), ask('b')];
    await settled();
    await database.answer(rowOf(1, 'a', { isUseDue: true }), rowOf(2, 'b'));
    await Promise.all(asked);
    expect(database.noted).toEqual(['key a']);
  });

  it('runs four statements at a time, and batches the rest when one completes', async () => {
    for (const letter of 'abcd') {
      void ask(letter);
      await settled();
    }
    for (const letter of 'ef01') void ask(letter);
    await settled();
    expect(database.queries).toHaveLength(4);
    await database.answer(rowOf(1, 'a'));
    expect(lookups(4)).toEqual([...'ef01'].map((letter) => letter.repeat(12)));
  });

  it('sends at most 64 keys in one statement', async () => {
    for (let n = 0; n < 100; n++)
      void ask('a', { key: `${API_KEY_PREFIX}${String(n).padStart(12, '0')}_secret` });
    await settled();
    expect(database.queries.map(([keys]) => (keys as string[]).length)).toEqual([64, 36]);
  });
});
