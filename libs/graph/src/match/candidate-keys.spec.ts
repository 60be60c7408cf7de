import { CANDIDATE_KINDS, candidateKeys, placeKeys } from './candidate-keys.js';
import { prepareRecord } from './match-record.js';

const subject = prepareRecord({
  ...{ name: "Smith LLC dba Joe's Pizza", domain: 'www.joes.com', phones: ['+15122345678'] },
  ...{ city: 'St. Louis', state: 'MO', zip: '63101-1234', country: 'US' },
  ...{ uei: 'ABCDEFGHJ123', licenses: ['MO:12'] },
});

describe('candidateKeys', () => {
  it('are of every kind but the one that compares trigrams, strongest first', () => {
    expect(candidateKeys(subject)).toEqual([
      { kind: 'uei', value: 'ABCDEFGHJ123' },
      { kind: 'domain', value: 'joes.com' },
      { kind: 'license', value: 'MO:12' },
      { kind: 'phone', value: '+15122345678' },
      { kind: 'name and zip', value: 'joes pizza|63101' },
      { kind: 'name and zip', value: 'smith|63101' },
      { kind: 'name and city', value: 'joes pizza|saint louis|MO' },
      { kind: 'name and city', value: 'smith|saint louis|MO' },
    ]);
    const kinds = new Set(candidateKeys(subject).map(({ kind }) => kind));
    expect(CANDIDATE_KINDS.filter((kind) => kind !== 'similar name')).toEqual([...kinds]);
  });

  it('lack a city without its state', () => {
    expect(candidateKeys(prepareRecord({ name: 'Acme', city: 'Springfield' }))).toEqual([]);
    expect(placeKeys(prepareRecord({ city: 'Springfield' }))).toEqual([]);
  });
});

describe('placeKeys', () => {
  it('are the ZIP code and the city', () => {
    expect(placeKeys(subject)).toEqual(['zip 63101', 'city saint louis|MO']);
  });
});
