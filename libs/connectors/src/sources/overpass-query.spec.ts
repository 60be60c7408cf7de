import { overpassQuery } from './overpass-query.js';

const BOUNDS = { limit: 20, timeoutSeconds: 9.7 };
const AUSTIN = { kind: 'named', name: 'Austin, TX' } as const;

describe('a query of Overpass', () => {
  it('selects a kind of business by its tags', () => {
    expect(overpassQuery('Dentists', AUSTIN, BOUNDS)).toBe(
      '[out:json][timeout:9][maxsize:134217728];' +
        'area["boundary"="administrative"]["name"="Austin"]->.a;' +
        '(nwr["name"]["amenity"="dentist"](area.a);nwr["name"]["healthcare"="dentist"](area.a););' +
        'out tags center 20;',
    );
  });

  it('selects by name where the kind is unknown', () => {
    const box = [1, 2, 3, 4.123456789] as const;
    expect(overpassQuery('Zwiebelfisch', { kind: 'box', box }, BOUNDS)).toContain(
      'nwr["name"]["name"~"zwiebelfisch",i](1.00000,2.00000,3.00000,4.12346);',
    );
  });

  it.each(['"];out;//', 'a"](area.a);node(1);', 'x\\', 'a\n"b', '.*', '[[[', 'a"~"b'])(
    'takes %j of a caller as text alone',
    (text) => {
      const [prefix, ...rest] = overpassQuery(text, { kind: 'named', name: text }, BOUNDS).split(
        /"(?:[^"\\]|\\.)*"/,
      );
      // Beside quoted strings there is nothing of the caller's.
      expect([prefix, ...rest].join('Q')).toMatch(
        /^\[out:json\]\[timeout:9\]\[maxsize:\d+\];area\[Q=Q\]\[Q=Q\]->\.a;\(nwr\[Q\]\[Q~Q,i\]\(area\.a\);\);out tags center 20;$/,
      );
    },
  );
});
