import { betterVersion, fillVersion } from '../pattern/version-template.js';
import type { Mark } from './mark.js';

/** What was seen of one technology. */
export interface Finding {
  /** Sum over its marks, at most 100. */
  readonly percent: number;
  /** Empty when the page shows none. */
  readonly version: string;
}

const NOT_SEEN = 0;
const SEEN = 1;
/** Nothing that it could still show would change what is known. */
const SETTLED = 2;

/** What a scan has seen so far. Each mark counts once, however often it is met. */
export class Evidence {
  private readonly states: Uint8Array;
  private readonly byTechnology = new Map<number, Finding>();

  constructor(markCount: number) {
    this.states = new Uint8Array(markCount);
  }

  /** By index of the technology. */
  get findings(): ReadonlyMap<number, Finding> {
    return this.byTechnology;
  }

  isSettled({ id }: Mark): boolean {
    return this.states[id] === SETTLED;
  }

  /** Runs the mark's pattern on a text; whether it matched. */
  try(mark: Mark, text: string): boolean {
    const { pattern } = mark;
    if (this.isSettled(mark)) return true;
    if (!pattern.isEmpty && !pattern.test(text)) return false;
    const groups = pattern.version === null ? null : pattern.match(text);
    this.see(mark, groups === null ? '' : fillVersion(pattern.version ?? '', groups));
    return true;
  }

  private see(mark: Mark, version: string): void {
    const { id, technology, pattern } = mark;
    const known = this.byTechnology.get(technology) ?? { percent: 0, version: '' };
    const added = this.states[id] === NOT_SEEN ? pattern.confidence : 0;
    this.byTechnology.set(technology, {
      percent: Math.min(100, known.percent + added),
      version: version === '' ? known.version : betterVersion(known.version, version),
    });
    this.states[id] = pattern.version === null || version !== '' ? SETTLED : SEEN;
  }
}
