import type { SeededRandom } from '@app/testing';
import type { WorldBusiness, WorldKind, BusinessState } from './business.js';
import { businessName, inventedWord } from './business-names.js';
import { makePlace, makeTowns, type Town } from './town.js';
import * as words from './vocabulary.js';

/** Groups of businesses that share something: of how many in a thousand, and how large a group is. */
const GROUPS: readonly {
  readonly kind: WorldKind;
  readonly perThousand: number;
  readonly least: number;
  readonly most: number;
}[] = [
  { kind: 'branch', perThousand: 120, least: 5, most: 300 },
  { kind: 'outlet', perThousand: 40, least: 2, most: 4 },
  { kind: 'client', perThousand: 20, least: 5, most: 150 },
  { kind: 'tenant', perThousand: 30, least: 5, most: 60 },
  { kind: 'neighbor', perThousand: 60, least: 2, most: 30 },
  { kind: 'moved', perThousand: 30, least: 1, most: 1 },
  { kind: 'renamed', perThousand: 20, least: 1, most: 1 },
  { kind: 'shop', perThousand: 680, least: 1, most: 1 },
];

const TOLL_FREE = ['800', '888', '877', '866'];
const SITE_BUILDERS = ['github.io', 'blogspot.com', 'myshopify.com', 'netlify.app'];

/** A world of businesses whose truth is known: the same seed makes the same world. */
export class WorldMaker {
  private readonly towns: readonly Town[];
  private readonly used = new Set<string>();
  private readonly businesses: WorldBusiness[] = [];

  constructor(
    private readonly random: SeededRandom,
    private readonly size: number,
  ) {
    this.towns = makeTowns(random, size);
  }

  make(): readonly WorldBusiness[] {
    for (const { kind, perThousand, least, most } of GROUPS) {
      const end = Math.min(this.size, this.businesses.length + (this.size * perThousand) / 1_000);
      while (this.businesses.length < end) {
        const room = Math.ceil(end - this.businesses.length);
        // A chain has about one branch a town.
        const size = this.random.int(least, Math.min(most, Math.max(least, this.towns.length)));
        this.addGroup(kind, Math.min(size, Math.max(least, room)));
      }
    }
    return this.businesses;
  }

  private addGroup(kind: WorldKind, count: number): void {
    const town = this.town();
    const first = this.ownState(town);
    const zips = new Set<string>();
    const sharesPhone = this.chance(kind === 'branch' ? 0.15 : 0.1);
    const central =
      kind === 'branch' && this.chance(0.5) ? this.phone(this.random.pick(TOLL_FREE)) : first.phone;
    for (let at = 0; at < count; at++) {
      const isAway = kind === 'branch' || (kind === 'outlet' && this.chance(0.5));
      const own = this.ownState(isAway ? this.town() : town);
      // Few firms have two places in one ZIP code.
      if (kind === 'outlet' && zips.has(own.place.zip) && this.chance(0.9)) continue;
      zips.add(own.place.zip);
      const states = this.statesOf(kind, { ...first, phone: central }, own, sharesPhone);
      this.add(kind, states);
    }
  }

  /** What a business of a group has of its own and what of the group. */
  private statesOf(
    kind: WorldKind,
    group: BusinessState,
    own: BusinessState,
    sharesPhone: boolean,
  ): readonly BusinessState[] {
    switch (kind) {
      case 'branch':
      case 'outlet': {
        const { name, domain } = group;
        return [
          {
            ...own,
            name: this.branchName(name, own),
            domain,
            ...(sharesPhone ? { phone: group.phone } : {}),
          },
        ];
      }
      case 'client':
        return [{ ...own, phone: group.phone }];
      case 'tenant':
        return [
          {
            ...own,
            domain: group.domain ?? this.domain('mall'),
            place: { ...group.place, unit: own.place.unit },
          },
        ];
      case 'neighbor':
        return [{ ...own, place: { ...group.place, unit: own.place.unit } }];
      case 'moved':
        return [own, this.moved(own)];
      case 'renamed':
        return [own, this.renamed(own)];
      case 'shop':
        return [own];
    }
  }

  /** Some chains write the town or a number behind the name. */
  private branchName(name: string, { place }: BusinessState): string {
    if (this.chance(0.1)) return `${name} of ${place.town.city}`;
    return this.chance(0.08) ? `${name} #${this.random.int(100, 9_999)}` : name;
  }

  /** Keeps its name, and its phone number or its domain or both. */
  private moved(state: BusinessState): BusinessState {
    const town = this.chance(0.8) ? state.place.town : this.town();
    const place = makePlace(this.random, town);
    const what = this.random.next();
    if (what < 0.3 && state.domain !== null)
      return { ...state, place, phone: this.phone(town.areaCode) };
    if (what < 0.5) return { ...state, place, domain: this.domain(state.name) };
    return { ...state, place };
  }

  /** Keeps its place, and its domain, its phone number or both. */
  private renamed(state: BusinessState): BusinessState {
    const name = this.ownName(state.place.town);
    const what = this.random.next();
    if (what < 0.3) return { ...state, name, domain: this.domain(name) };
    return what < 0.5
      ? { ...state, name, phone: this.phone(state.place.town.areaCode) }
      : { ...state, name };
  }

  private add(kind: WorldKind, states: readonly BusinessState[]): void {
    const id = this.businesses.length;
    const state = states[0]?.place.town.state ?? '';
    const isRegistered = kind === 'renamed' ? 0.8 : 0.15;
    this.businesses.push({
      ...{ id, kind, states },
      legalForm: this.chance(0.7) ? this.random.pick(words.LEGAL_FORMS) : null,
      uei: this.chance(isRegistered) ? `U${String(id).padStart(11, '0')}` : null,
      license: this.chance(0.12) ? `${state}:${100_000 + id}` : null,
    });
  }

  private ownState(town: Town): BusinessState {
    const name = this.ownName(town);
    return {
      name,
      place: makePlace(this.random, town),
      phone: this.phone(town.areaCode),
      domain: this.chance(0.7) ? this.domain(name) : null,
    };
  }

  /** Registers refuse a name that another firm of the place has, but for few. */
  private ownName(town: Town): string {
    let name = businessName(this.random, town);
    const key = (): string => `${town.city} ${town.state} ${withoutEnding(name)}`;
    while (this.used.has(key()) && this.chance(0.99)) name = businessName(this.random, town);
    this.used.add(key());
    return name;
  }

  private phone(areaCode: string): string {
    return this.unused(() => {
      const [exchange, line] = [this.random.int(220, 989), this.random.int(1_000, 9_999)];
      return `+1${areaCode}${exchange}${line}`;
    });
  }

  private domain(name: string): string {
    const label = name
      .toLowerCase()
      .replace(/[^a-z\d]+/g, '')
      .slice(0, 30);
    return this.unused(() => {
      const end = this.chance(0.08)
        ? this.random.pick(SITE_BUILDERS)
        : this.random.pick(['com', 'com', 'net', 'us']);
      return `${label}${this.used.has(`${label}.com`) ? inventedWord(this.random).toLowerCase() : ''}.${end}`;
    });
  }

  private unused(make: () => string): string {
    let value = make();
    while (this.used.has(value)) value = make();
    this.used.add(value);
    return value;
  }

  private town(): Town {
    return this.random.pick(this.towns);
  }

  private chance(share: number): boolean {
    return this.random.next() < share;
  }
}

const ENDINGS = new RegExp(` (?:${words.TRADE_ENDINGS.filter((word) => word !== '').join('|')})$`);
const withoutEnding = (name: string): string => name.replace(ENDINGS, '');
