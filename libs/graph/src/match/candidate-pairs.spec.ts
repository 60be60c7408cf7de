import { MAX_KEY_RECORDS } from './candidate-keys.js';
import { candidatePairs } from './candidate-pairs.js';
import { type MatchRecord, prepareRecord } from './match-record.js';

const pairs = (...records: readonly MatchRecord[]) => candidatePairs(records.map(prepareRecord));

describe('candidatePairs', () => {
  it('are the records that share a key, each pair once', () => {
    expect(
      pairs(
        { name: 'Acme', domain: 'acme.com', phones: ['+15122345678'] },
        { name: 'Other', domain: 'other.com' },
        { name: 'Acme', domain: 'www.acme.com', phones: ['+15122345678'] },
      ),
    ).toEqual([[0, 2]]);
  });

  it('are those with similar names in one place', () => {
    const found = pairs(
      { name: 'Kormarix Plumbing', zip: '78701' },
      { name: 'Kormaricks Plumbing', zip: '78701' },
      { name: 'Kormarix Plumbing', zip: '75201' },
      { name: 'Zenith Flooring', zip: '78701' },
    );
    expect(found).toEqual([[0, 1]]);
  });

  it('are none by a key that more than fifty records share', () => {
    const records = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ name: `Name ${at}`, domain: 'mall.com' }));
    expect(pairs(...records(MAX_KEY_RECORDS))).toHaveLength((50 * 49) / 2);
    expect(pairs(...records(MAX_KEY_RECORDS + 1))).toEqual([]);
  });
});
