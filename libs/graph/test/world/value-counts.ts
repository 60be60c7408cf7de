import type { MatchCounts } from '../../src/match/business-table.js';
import type { MatchSubject } from '../../src/match/match-record.js';

/** Places and names seen with one value: the larger of both stands for the businesses that have it. */
class Holders {
  private readonly places = new Set<string>();
  private readonly names = new Set<string>();

  add({ places, names }: MatchSubject): void {
    for (const { zip, city } of places) if (zip !== '' || city !== '') this.places.add(zip || city);
    // The first word alone: names with a mistake or a word more are no other business.
    this.names.add(names[0]?.words[0] ?? '');
  }

  get count(): number {
    return Math.max(this.places.size, this.names.size);
  }

  get placeCount(): number {
    return this.places.size;
  }
}

/** Counts of the values of records, as a graph keeps them of its businesses. */
export function countValues(subjects: readonly MatchSubject[]): MatchCounts {
  const [names, domains, phones] = [1, 2, 3].map(() => new Map<string, Holders>());
  const add = (
    map: Map<string, Holders> | undefined,
    value: string,
    subject: MatchSubject,
  ): void => {
    const holders = map?.get(value) ?? new Holders();
    holders.add(subject);
    map?.set(value, holders);
  };
  for (const subject of subjects) {
    for (const { key } of subject.names) add(names, key, subject);
    for (const domain of subject.domains) add(domains, domain, subject);
    for (const phone of subject.phones) add(phones, phone, subject);
  }
  return {
    nameCount: (key) => names?.get(key)?.placeCount,
    domainCount: (domain) => domains?.get(domain)?.count,
    phoneCount: (phone) => phones?.get(phone)?.count,
  };
}
