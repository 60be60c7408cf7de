import { joinSubjects, prepareRecord } from './match-record.js';

describe('prepareRecord', () => {
  it('writes each value in one way', () => {
    const subject = prepareRecord({
      ...{ name: "Smith LLC dba Joe's Pizza", aliases: ['Giuseppe’s'] },
      ...{ domain: 'https://www.joes.com/menu', phones: ['(512) 234-5678', '+442079460000'] },
      ...{ street: '100 Main St', city: 'Austin', state: 'Texas', zip: '78701-1234' },
      ...{ country: 'United States', uei: 'abcdefghj123', licenses: ['tx: 0012-345'] },
    });
    expect(subject.names.map(({ key }) => key)).toEqual(['joes pizza', 'smith', 'giuseppes']);
    expect([...subject.domains]).toEqual(['joes.com']);
    expect([...subject.phones]).toEqual(['+15122345678', '+442079460000']);
    expect([...subject.ueis]).toEqual(['ABCDEFGHJ123']);
    expect([...subject.licenses]).toEqual(['TX:12345']);
    expect(subject.places[0]).toMatchObject({ state: 'TX', zip: '78701', country: 'US' });
  });

  it('reads phone numbers and states as those of the country', () => {
    const subject = prepareRecord({ phones: ['030 5550177'], country: 'Germany', state: 'Berlin' });
    expect([...subject.phones]).toEqual(['+49305550177']);
    expect(subject.places[0]?.state).toBe('BERLIN');
    expect(prepareRecord({ state: 'Ontario', country: 'CA' }).places[0]?.state).toBe('ON');
  });

  it('leaves out what cannot be true', () => {
    const subject = prepareRecord({
      name: 'LLC',
      domain: 'facebook.com/a',
      phones: ['12'],
      uei: 'A1',
    });
    expect(subject.names).toEqual([]);
    expect([subject.domains.size, subject.phones.size, subject.ueis.size]).toEqual([0, 0, 0]);
  });

  it('reads 5 names, 20 phone numbers and 20 licenses', () => {
    const numbers = Array.from({ length: 30 }, (_, at) => at);
    const subject = prepareRecord({
      name: 'a1',
      aliases: numbers.map((at) => `name ${at}`),
      phones: numbers.map((at) => `+1512234${5_000 + at}`),
      licenses: numbers.map((at) => `TX:${at + 1}`),
    });
    expect(subject.names).toHaveLength(5);
    expect(subject.phones.size).toBe(20);
    expect(subject.licenses.size).toBe(20);
  });
});

describe('joinSubjects', () => {
  it('has the values of both, each once', () => {
    const a = prepareRecord({
      name: 'Acme',
      domain: 'acme.com',
      phones: ['+15122345678'],
      zip: '78701',
    });
    const b = prepareRecord({
      name: 'ACME Inc',
      domain: 'acme.net',
      phones: ['+15122345678'],
      zip: '78702',
    });
    const joined = joinSubjects(a, b);
    expect(joined.names.map(({ key }) => key)).toEqual(['acme']);
    expect([...joined.domains]).toEqual(['acme.com', 'acme.net']);
    expect(joined.phones.size).toBe(1);
    expect(joined.places.map(({ zip }) => zip)).toEqual(['78701', '78702']);
  });
});
