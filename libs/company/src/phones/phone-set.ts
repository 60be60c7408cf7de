import { collapse } from '@app/content';
import { type CountryCode } from 'libphonenumber-js/max';
import { type PagePhone } from '../company-page.js';
import { MAX_PAGE_PHONES } from '../limits.js';
import { NumberReader } from './number-reader.js';
import { type PhoneLabel } from './phone-labels.js';

interface Seen {
  readonly shown: string;
  readonly rank: number;
  readonly isPhone: boolean;
  readonly isFax: boolean;
}

const MAX_TEXT_CHARS = 200;

/** The numbers of a page, each once, with the best of their spellings. */
export class PhoneSet {
  readonly reader: NumberReader;
  private readonly seen = new Map<string, Seen>();

  constructor(country: CountryCode) {
    this.reader = new NumberReader(country);
  }

  get isAmerican(): boolean {
    return this.reader.country === 'US' || this.reader.country === 'CA';
  }

  /** The part of the text that is the number; undefined when none is. */
  add(text: string, label: PhoneLabel, rank: PagePhone['rank']): string | undefined {
    const read = this.reader.read(text.slice(0, MAX_TEXT_CHARS));
    if (read === undefined) return undefined;
    const known = this.seen.get(read.number);
    if (known === undefined && this.seen.size >= MAX_PAGE_PHONES) return read.shown;
    const isBetter = known === undefined || rank > known.rank;
    this.seen.set(read.number, {
      shown: isBetter ? collapse(read.shown) : known.shown,
      rank: isBetter ? rank : known.rank,
      isPhone: known?.isPhone === true || label === 'phone',
      isFax: known?.isFax === true || label === 'fax',
    });
    return read.shown;
  }

  list(): readonly PagePhone[] {
    return [...this.seen].map(([number, { shown, rank, isFax, isPhone }]) => ({
      shown,
      number,
      rank,
      called: isPhone ? 'phone' : isFax ? 'fax' : 'nothing',
    }));
  }
}
