import type { MatchCounts } from './business-table.js';
import type { MatchSubject } from './match-record.js';
import { comparableName } from './names/name-agreement.js';
import { comparablePlace, type ComparablePlace } from './places/comparable-place.js';

/** Values of which it matters how many businesses have them. */
export type CountedKind = 'name' | 'domain' | 'phone';

/** A business known to have a value. */
export interface Holder {
  readonly nameKey: string;
  readonly zip: string | undefined;
  readonly city: string | undefined;
}

/** Places and names seen with one value: as many businesses have it as the larger of both counts. */
class Holders {
  readonly places = new Set<string>();
  readonly names = new Set<string>();

  add(places: readonly ComparablePlace[], firstWord: string | undefined): void {
    for (const { zip, city } of places) if (zip !== '' || city !== '') this.places.add(zip || city);
    // The first word alone: names with a mistake or a word more are no other business.
    this.names.add(firstWord ?? '');
  }
}

/** How many businesses have each value. The same business may be added again. */
export class ValueCounts implements MatchCounts {
  private readonly holders = new Map<string, Holders>();

  /** Counts all values of a record. */
  add(subject: MatchSubject): void {
    const firstWord = subject.names[0]?.words[0];
    for (const [kind, value] of countedValues(subject))
      this.of(kind, value).add(subject.places, firstWord);
  }

  /** Counts one value of a business. */
  addHolder(kind: CountedKind, value: string, { nameKey, zip, city }: Holder): void {
    this.of(kind, value).add([comparablePlace({ zip, city })], comparableName(nameKey).words[0]);
  }

  readonly nameCount = (key: string): number | undefined =>
    this.holders.get(`name ${key}`)?.places.size;
  readonly domainCount = (domain: string): number | undefined => this.countOf('domain', domain);
  readonly phoneCount = (phone: string): number | undefined => this.countOf('phone', phone);

  private countOf(kind: CountedKind, value: string): number | undefined {
    const holders = this.holders.get(`${kind} ${value}`);
    return holders && Math.max(holders.places.size, holders.names.size);
  }

  private of(kind: CountedKind, value: string): Holders {
    const term = `${kind} ${value}`;
    const holders = this.holders.get(term) ?? new Holders();
    this.holders.set(term, holders);
    return holders;
  }
}

/** The values of a record that are counted. */
export function countedValues({
  names,
  domains,
  phones,
}: MatchSubject): readonly (readonly [CountedKind, string])[] {
  return [
    ...names.map(({ key }) => ['name', key] as const),
    ...[...domains].map((domain) => ['domain', domain] as const),
    ...[...phones].map((phone) => ['phone', phone] as const),
  ];
}
