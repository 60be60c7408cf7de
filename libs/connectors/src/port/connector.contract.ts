import type { Connector, ConnectorContext, ConnectorParams, ConnectorRow } from './connector.js';
import type { ConnectorSources } from './connector-sources.js';
import { connectorProblem, assertSchema, checkOf } from './connector-registry.js';
import { readRequest } from '../intent/read-request.js';

export interface ConnectorCase {
  readonly connector: () => Connector;
  readonly params: ConnectorParams;
  /** Sources with at least two rows for the parameters. */
  readonly sources: () => ConnectorSources;
}

/** What every connector does, built in or the operator's. */
export function describeConnector(name: string, one: ConnectorCase): void {
  describe(`the connector ${name}`, () => {
    const contextOf = (maxRows = 100, signal = new AbortController().signal): ConnectorContext => ({
      maxRows,
      signal,
      sources: one.sources(),
      addCost: () => undefined,
    });
    const rowsOf = async (most = Infinity): Promise<readonly ConnectorRow[]> => {
      const rows: ConnectorRow[] = [];
      for await (const row of one.connector().run(one.params, contextOf())) {
        rows.push(row);
        if (rows.length >= most) break;
      }
      return rows;
    };

    it('has the parts of a connector', () => {
      expect(connectorProblem(one.connector())).toBeNull();
      expect(Object.keys(one.connector().schema.properties).length).toBeGreaterThan(0);
      const { params, schema } = one.connector();
      for (const used of [params, schema]) expect(() => assertSchema(used)).not.toThrow();
    });

    it('accepts its own parameters, and no unknown ones', () => {
      const problemOf = checkOf(one.connector().params);
      expect(problemOf(one.params)).toBeNull();
      expect(problemOf({ ...one.params, unknown_parameter: 1 })).toContain('unknown_parameter');
      expect(problemOf([])).not.toBeNull();
    });

    it('yields rows of its schema, each with a key of its own', async () => {
      const rows = await rowsOf();
      const problemOf = checkOf(one.connector().schema);
      expect(rows.length).toBeGreaterThan(1);
      expect(rows.map((row) => problemOf(row)).filter((problem) => problem !== null)).toEqual([]);
      const keys = rows.map((row) => one.connector().keyOf(row));
      expect(new Set(keys).size).toBe(rows.length);
    });

    it('yields the same keys when it runs again', async () => {
      const keysOf = async () => (await rowsOf()).map((row) => one.connector().keyOf(row)).sort();
      expect(await keysOf()).toEqual(await keysOf());
    });

    it('keeps the key of a row that went through JSON', async () => {
      const [row] = await rowsOf(1);
      if (row === undefined) throw new Error('no row');
      const stored = JSON.parse(JSON.stringify(row)) as ConnectorRow;
      expect(one.connector().keyOf(stored)).toBe(one.connector().keyOf(row));
    });

    it('ends when its reader has enough', async () => {
      expect(await rowsOf(1)).toHaveLength(1);
    });

    it('previews rows that a run has', async () => {
      const { rows, estimatedRows } = await one.connector().preview(one.params, contextOf(5));
      expect(rows.length).toBeGreaterThan(0);
      expect(estimatedRows === null || estimatedRows >= 0).toBe(true);
      const keys = new Set((await rowsOf()).map((row) => one.connector().keyOf(row)));
      for (const row of rows) expect(keys.has(one.connector().keyOf(row))).toBe(true);
    });

    it('matches a request with parameters that it accepts, or not at all', () => {
      for (const text of ['dentists in Austin', 'tech of a.example', 'https://a.example', '']) {
        const match = one.connector().match(readRequest(text));
        if (match === null) continue;
        expect(match.score).toBeGreaterThan(0);
        expect(match.score).toBeLessThanOrEqual(1);
        expect(checkOf(one.connector().params)(match.params)).toBeNull();
      }
    });
  });
}
