import { linkBytes, type LinkFilter, type MapLink } from './sitemap-task.js';

/** Links processed before the event loop gets its turn. */
const LINKS_PER_TURN = 5_000;

/** The first links of all files, each once; the files themselves need not be kept. */
export class MergedLinks {
  readonly links: MapLink[] = [];
  /** Their memory, in bytes. */
  bytes = 0;
  /** The limit that left links out; once it is set, later files change nothing. */
  cut: 'limit' | 'link_bytes' | null = null;
  private readonly seen = new Set<string>();
  private looked = 0;

  constructor(private readonly filter: Pick<LinkFilter, 'maxLinks' | 'maxBytes'>) {}

  /** One file at a time, in the order of the result. */
  async add(file: readonly MapLink[]): Promise<void> {
    for (const link of file) {
      if (this.cut !== null) return;
      if (++this.looked % LINKS_PER_TURN === 0) await nextTurn();
      this.addOne(link);
    }
  }

  private addOne(link: MapLink): void {
    const { maxLinks, maxBytes } = this.filter;
    const key = link.key ?? link.url;
    if (this.seen.has(key)) return;
    const bytes = this.bytes + linkBytes(link);
    // The last of `maxLinks` only shows that there are more than requested.
    if (this.links.length === maxLinks - 1) this.cut = 'limit';
    else if (bytes > maxBytes) this.cut = 'link_bytes';
    if (this.cut !== null) return;
    this.seen.add(key);
    this.links.push(link);
    this.bytes = bytes;
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
