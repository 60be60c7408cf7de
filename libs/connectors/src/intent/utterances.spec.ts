import { UTTERANCES, type Utterance } from '../../test/utterances.js';
import { BUILT_IN_CONNECTORS } from '../built-in/built-in-connectors.js';
import { graphConnector } from '../built-in/graph-connector.js';
import { ConnectorRegistry } from '../port/connector-registry.js';
import { readRequest } from './read-request.js';

/** Share of requests that rules alone must understand in full. */
const LEAST = 0.9;

describe('requests in words, by rules alone', () => {
  const registry = new ConnectorRegistry();
  for (const connector of BUILT_IN_CONNECTORS) registry.add(connector);
  const nothing = {
    page: () => Promise.resolve({ rows: [], next: null }),
    sample: () => Promise.resolve({ rows: [], count: 0 }),
  };
  registry.add(graphConnector(nothing));

  const understood = ({ text }: Utterance) => {
    const request = readRequest(text);
    const match = registry.match(request);
    const connectorId = match?.connector.id ?? null;
    const params = Object.fromEntries(
      Object.entries(match?.params ?? {}).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.join(',') : String(value),
      ]),
    );
    return { connectorId, params, maxResults: match === null ? null : request.maxRows };
  };
  /** Companies of the graph are judged by their technology: their place is in the words of the graph. */
  const isRight = (one: Utterance): boolean => {
    const got = understood(one);
    const isCompanies = one.connectorId === 'companies';
    const { tech } = got.params;
    const params = isCompanies ? { tech } : got.params;
    const wanted = { connectorId: one.connectorId, params: one.params, maxResults: one.maxResults };
    return JSON.stringify(sorted({ ...got, params })) === JSON.stringify(sorted(wanted));
  };
  const sorted = (one: Omit<Utterance, 'text'> | { params: object }) => ({
    ...one,
    params: Object.entries(one.params).sort(),
  });
  const halves = { 'made with': 0, 'held back': 1 } as const;

  it.each(Object.entries(halves))('at least 90 %% of those %s are right', (_name, remainder) => {
    const some = UTTERANCES.filter((_, at) => at % 2 === remainder);
    const wrong = some.filter((one) => !isRight(one));
    const shown = wrong.map((one) => `${one.text} → ${JSON.stringify(understood(one))}`);
    if (process.env['SHOW_WRONG'] === _name) process.stdout.write(`${shown.join('\n')}\n`);
    expect(some.length).toBeGreaterThan(148);
    expect(1 - wrong.length / some.length).toBeGreaterThanOrEqual(LEAST);
  });

  it('has a match only with parameters that its connector accepts', () => {
    for (const { text } of UTTERANCES) {
      const match = registry.match(readRequest(text));
      const registered = registry.get(match?.connector.id ?? '');
      expect(match === null ? null : registered?.paramsProblem(match.params)).toBeNull();
    }
  });
});
