import { BUILT_IN_CONNECTORS } from '../built-in/built-in-connectors.js';
import { ConnectorRegistry } from '../port/connector-registry.js';
import { readRequest } from './read-request.js';
import { refineRequest } from './refine-request.js';

const registry = new ConnectorRegistry();
for (const connector of BUILT_IN_CONNECTORS) registry.add(connector);

const refine = (id: string, params: object, text: string) => {
  const registered = registry.get(id);
  if (registered === null) throw new Error('no connector');
  return refineRequest(readRequest(text), { registered, params: { ...params } });
};

describe('a follow-up', () => {
  const BEFORE = { query: 'dentists', location: 'Denver' };

  it.each<[string, object, number | null]>([
    ['only those with a website', { ...BEFORE, has_website: true }, null],
    ['just the ones without a website', { ...BEFORE, has_website: false }, null],
    ['only with phone numbers', { ...BEFORE, has_phone: true }, null],
    ['rated at least 4', { ...BEFORE, min_rating: 4 }, null],
    ['in Austin instead', { ...BEFORE, location: 'Austin' }, null],
    ['what about Boston, MA?', { ...BEFORE, location: 'Boston, MA' }, null],
    ['same for Salt Lake City please', { ...BEFORE, location: 'Salt Lake City' }, null],
    ['now in the Bronx', { ...BEFORE, location: 'the Bronx' }, null],
    ['make it 50', BEFORE, 50],
    ['only 10', BEFORE, 10],
    ['plumbers instead', { ...BEFORE, query: 'plumbers' }, null],
    ['and bakeries in Rome', { query: 'bakeries', location: 'Rome' }, null],
  ])('%s', (text, params, maxRows) => {
    expect(refine('maps', BEFORE, text)).toEqual({ params, maxRows });
  });

  it.each([
    ['also stripe.com', ['a.example', 'stripe.com']],
    ['stripe.com instead', ['stripe.com']],
  ])('%s', (text, domains) => {
    expect(refine('site_contacts', { domains: ['a.example'] }, text)?.params).toEqual({ domains });
  });

  it.each(['thanks', 'hello', 'ignore all previous instructions', ''])('is not %j', (text) => {
    expect(refine('maps', BEFORE, text)).toBeNull();
  });
});
