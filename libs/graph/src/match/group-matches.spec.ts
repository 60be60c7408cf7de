import { candidatePairs } from './candidate-pairs.js';
import { groupMatches } from './group-matches.js';
import { type MatchRecord, prepareRecord } from './match-record.js';

function groups(records: readonly MatchRecord[]) {
  const subjects = records.map(prepareRecord);
  return groupMatches(subjects, candidatePairs(subjects));
}

const NAME = { name: 'Kormarix Evergreen Plumbing' };
const AUSTIN = { city: 'Austin', state: 'TX', zip: '78701' };

describe('groupMatches', () => {
  it('joins records that share nothing by those between them', () => {
    const phone = { phones: ['+15122345678'] };
    const site = { domain: 'kormarix.com' };
    const found = groups([
      { ...NAME, ...phone },
      { ...NAME, ...site },
      { ...NAME, ...phone, ...site },
    ]);
    expect(found).toEqual([[0, 1, 2]]);
  });

  it('does not join two branches by a record that names no house', () => {
    const [one, other] = [{ phones: ['+15122345678'] }, { phones: ['+15128765432'] }];
    const found = groups([
      { ...NAME, ...AUSTIN, ...one, street: '100 Main St' },
      { ...NAME, ...AUSTIN, ...other, street: '7 Oak Ave' },
      { ...NAME, ...AUSTIN, ...one },
    ]);
    expect(found).toEqual([[0, 2], [1]]);
  });

  it('does not let a ZIP code outweigh two houses', () => {
    const phone = { phones: ['+15122345678'] };
    const found = groups([
      { ...NAME, ...AUSTIN, ...phone, street: '100 Main St' },
      { ...NAME, ...AUSTIN, street: '7 Oak Ave' },
      { ...NAME, ...AUSTIN, ...phone },
    ]);
    expect(found).toEqual([[0, 2], [1]]);
  });

  it('leaves records alone that match none', () => {
    expect(groups([NAME, { name: 'Zenith' }])).toEqual([[0], [1]]);
  });
});
