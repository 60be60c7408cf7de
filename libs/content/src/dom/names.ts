/**
 * Names that are found in a source without a new string for each: most tags and attributes of a page are of a few hundred
 * names. Others are taken as they are, in lower case.
 */
class KnownNames {
  private readonly slots: (string | undefined)[] = Array.from({ length: SLOTS });
  private readonly maxLength: number;

  constructor(names: readonly string[]) {
    for (const name of new Set(names)) {
      let slot = slotOf(name, 0, name.length);
      while (this.slots[slot] !== undefined) slot = (slot + 1) & MASK;
      this.slots[slot] = name;
    }
    this.maxLength = Math.max(...names.map(({ length }) => length));
  }

  at(source: string, start: number, end: number): string {
    if (end - start <= this.maxLength) {
      let slot = slotOf(source, start, end);
      for (;;) {
        const name = this.slots[slot];
        if (name === undefined) break;
        if (name.length === end - start && isAt(source, start, name)) return name;
        slot = (slot + 1) & MASK;
      }
    }
    return source.slice(start, end).toLowerCase();
  }
}

const SLOTS = 1_024;
const MASK = SLOTS - 1;

/** Length, ends and middle tell known names apart well enough. */
function slotOf(text: string, start: number, end: number): number {
  const length = end - start;
  const middle = text.charCodeAt(start + (length >> 1));
  return (
    (text.charCodeAt(start) * 31 + text.charCodeAt(end - 1) * 131 + middle * 521 + length * 67) &
    MASK
  );
}

function isAt(source: string, start: number, name: string): boolean {
  for (let at = 0; at < name.length; at++)
    if (source.charCodeAt(start + at) !== name.charCodeAt(at)) return false;
  return true;
}

export const TAG_NAMES = new KnownNames(
  'a abbr address area article aside audio b base blockquote body br button canvas caption center cite code col colgroup dd del details dfn dialog div dl dt em embed fieldset figcaption figure font footer form frame frameset g h1 h2 h3 h4 h5 h6 head header hr html i iframe img input ins kbd label legend li link main map mark menu meta nav noscript object ol optgroup option p param path picture polygon pre progress q rect s samp script section select slot small source span strike strong style sub summary sup svg symbol table tbody td template textarea tfoot th thead time title tr track tt u ul use var video wbr'.split(
    ' ',
  ),
);

export const ATTRIBUTE_NAMES = new KnownNames(
  'abbr about accept action align allow allowfullscreen alt aria-controls aria-current aria-describedby aria-expanded aria-haspopup aria-hidden aria-label aria-labelledby aria-live aria-modal aria-selected async autocomplete autofocus autoplay bgcolor border cellpadding cellspacing charset checked cite class color cols colspan content controls coords crossorigin d data data-action data-alt data-aos data-component data-content data-count data-date data-height data-href data-id data-index data-key data-label data-lazy-src data-name data-position data-sizes data-size data-slug data-src data-srcset data-target data-test data-testid data-text data-title data-toggle data-track data-type data-url data-value data-width datetime decoding defer dir disabled download draggable enctype face fetchpriority fill fill-rule focusable for form frameborder headers height hidden href hreflang http-equiv id imagesizes imagesrcset integrity itemid itemprop itemscope itemtype kind label lang language link loading loop maxlength max media method min multiple muted name nofollow nonce nowrap onchange onclick onload onmouseover onsubmit open pattern placeholder playsinline points poster preload preserveaspectratio property pubdate r readonly referrerpolicy rel required resource rev role rows rowspan sandbox scope scrolling selected shape size sizes slot span src srcdoc srclang srcset start stroke stroke-linecap stroke-linejoin stroke-width style summary tabindex target title transform translate type typeof usemap valign value version viewbox width wrap x x1 x2 xlink:href xml:lang xmlns y y1 y2'.split(
    ' ',
  ),
);
