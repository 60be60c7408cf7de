import type { SeededRandom } from '@app/testing';
import type { MatchRecord } from '../../src/match/match-record.js';
import type { WorldBusiness, BusinessState } from './business.js';
import type { WorldPlace } from './town.js';
import { inventedWord } from './business-names.js';

/** What kinds of sources know, as the share of their records that have it. */
interface SourceKind {
  readonly phone: number;
  readonly domain: number;
  readonly street: number;
  readonly zip: number;
  readonly legalForm: number;
  readonly keys: number;
  readonly isUpperCase: boolean;
}

const SOURCES: readonly SourceKind[] = [
  // A register
  { phone: 0.1, domain: 0, street: 0.97, zip: 0.97, legalForm: 1, keys: 1, isUpperCase: true },
  // A directory
  { phone: 0.95, domain: 0.6, street: 0.9, zip: 0.9, legalForm: 0.2, keys: 0, isUpperCase: false },
  // The business's own site
  { phone: 0.85, domain: 1, street: 0.7, zip: 0.85, legalForm: 0.3, keys: 0.1, isUpperCase: false },
  // A map
  {
    phone: 0.85,
    domain: 0.5,
    street: 0.95,
    zip: 0.85,
    legalForm: 0.05,
    keys: 0,
    isUpperCase: false,
  },
];

/** Share of records with one typing mistake in the name or the street. */
const NAME_TYPOS = 0.04;
const STREET_TYPOS = 0.02;
/** Share of records whose phone number is a mobile or a tracking number that no other source has. */
const OTHER_PHONES = 0.03;
/** Share of records that name a page of a network as the site. */
const PROFILE_PAGES = 0.05;

/** Writes what one source says about a business, with its gaps and mistakes. */
export class SourceWriter {
  constructor(private readonly random: SeededRandom) {}

  /** The records of a business: one to four sources, each once. */
  recordsOf(business: WorldBusiness): readonly MatchRecord[] {
    const count = 1 + [0.25, 0.6, 0.85].filter((limit) => this.random.next() >= limit).length;
    const from = this.random.int(0, SOURCES.length - 1);
    return Array.from({ length: count }, (_, at) => {
      const source = SOURCES[(from + at) % SOURCES.length] ?? this.random.pick(SOURCES);
      return this.recordOf(business, this.random.pick(business.states), source);
    });
  }

  private recordOf(business: WorldBusiness, state: BusinessState, source: SourceKind): MatchRecord {
    const { place } = state;
    const hasKeys = this.chance(source.keys);
    return {
      name: this.name(business, state, source),
      ...(this.chance(source.phone) ? { phones: [this.phone(state)] } : {}),
      ...(state.domain !== null && this.chance(source.domain)
        ? { domain: this.site(state.domain) }
        : {}),
      ...(this.chance(source.street) ? { street: this.street(place) } : {}),
      ...(this.chance(0.95) ? { city: place.town.city } : {}),
      state: place.town.state,
      ...(this.chance(source.zip)
        ? { zip: this.chance(0.1) ? `${place.zip}-${this.random.int(1_000, 9_999)}` : place.zip }
        : {}),
      ...(hasKeys && business.uei !== null ? { uei: business.uei } : {}),
      ...(hasKeys && business.license !== null ? { licenses: [business.license] } : {}),
    };
  }

  private name({ legalForm }: WorldBusiness, { name }: BusinessState, source: SourceKind): string {
    const spelled = this.chance(0.3) ? this.respelled(name) : name;
    const typed = this.chance(NAME_TYPOS) ? this.mistyped(spelled) : spelled;
    const hasForm = legalForm !== null && this.chance(source.legalForm);
    const full = hasForm ? `${typed}${this.random.pick([', ', ' '])}${legalForm}` : typed;
    return source.isUpperCase ? full.toUpperCase() : full;
  }

  /** Other ways to write the same name. */
  private respelled(name: string): string {
    return this.random.pick<(text: string) => string>([
      (text) => text.replace(' & ', ' and '),
      (text) => text.replace(/^The (.*)$/, '$1, The'),
      (text) => text.replace("'s", 's'),
      (text) => text.replace("'", '’'),
      (text) => text.replace(/\bFirst\b/, '1st'),
      (text) => text.replace('-', ' '),
      (text) => text.replace(/ (?:Services|Company|Shop)$/, ''),
    ])(name);
  }

  /** One letter lost, doubled or swapped with the next. */
  private mistyped(text: string): string {
    const at = this.random.int(1, Math.max(1, text.length - 3));
    const letter = text[at] ?? '';
    if (!/[a-z]/i.test(letter)) return text;
    const next = text[at + 1] ?? '';
    const written = this.random.pick(['', `${letter}${letter}`, `${next}${letter}`]);
    const isSwap = written.length === 2 && written !== `${letter}${letter}`;
    return `${text.slice(0, at)}${written}${text.slice(at + (isSwap ? 2 : 1))}`;
  }

  private phone({ phone, place }: BusinessState): string {
    const own = this.chance(OTHER_PHONES)
      ? `+1${place.town.areaCode}${this.random.int(220, 989)}${this.random.int(1_000, 9_999)}`
      : phone;
    const [area, exchange, line] = [own.slice(2, 5), own.slice(5, 8), own.slice(8)];
    return this.random.pick([
      ...[
        `(${area}) ${exchange}-${line}`,
        `${area}-${exchange}-${line}`,
        `${area}.${exchange}.${line}`,
      ],
      ...[own, `1-${area}-${exchange}-${line}`],
    ]);
  }

  private site(domain: string): string {
    if (this.chance(PROFILE_PAGES)) return `https://www.facebook.com/${inventedWord(this.random)}`;
    return this.random.pick([
      domain,
      `www.${domain}`,
      `https://www.${domain}/`,
      `http://${domain}/contact`,
    ]);
  }

  private street({ number, direction, street, type, unit }: WorldPlace): string {
    const isLong = this.chance(0.5) ? 0 : 1;
    const name = this.chance(STREET_TYPOS) ? this.mistyped(street) : street;
    const facing = direction !== null && this.chance(0.85) ? `${direction[isLong]} ` : '';
    const door =
      unit === null || this.chance(0.2)
        ? ''
        : this.random.pick([` #${unit}`, `, Suite ${unit}`, ` Ste ${unit}`]);
    return `${number} ${facing}${name} ${type[isLong]}${door}`;
  }

  private chance(share: number): boolean {
    return this.random.next() < share;
  }
}
