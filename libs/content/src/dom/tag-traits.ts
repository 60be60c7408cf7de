/**
 * What tree construction has to know about a tag: the sets of the HTML standard (13.2.4, 13.2.6),
 * turned round so that one look-up per tag answers all questions.
 */
export interface TagTraits {
  readonly isVoid: boolean;
  /** "Special": ends the search for the start of an inline element. */
  readonly isSpecial: boolean;
  /** Reopened when its block ends before it does. */
  readonly isFormatting: boolean;
  /** Its start tag ends an open paragraph. */
  readonly endsParagraph: boolean;
  /** No search for an open element passes it (scope marker). */
  readonly isScopeBarrier: boolean;
  /** Formatting does not reach into it, nor out of it. */
  readonly isFormattingBarrier: boolean;
  /** In SVG or MathML its start tag means that the author forgot to close them. */
  readonly isBreakout: boolean;
  readonly isHeadContent: boolean;
  /** Its start tag ends more than a paragraph: items, cells, links, options, headings. */
  readonly endsOthers: boolean;
  /** White space directly inside means nothing. */
  readonly dropsWhitespace: boolean;
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

const VOID = words(
  'area base basefont bgsound br col command embed frame hr img input keygen link meta param source track wbr',
);
const FORMATTING = words('a b big code em font i nobr s small strike strong tt u');
const ENDS_PARAGRAPH = words(
  'address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li dd dt main menu nav ol p plaintext pre listing search section summary table ul xmp',
);
const SPECIAL = words(
  'address applet area article aside base basefont bgsound blockquote body br button caption center col colgroup dd details dialog dir div dl dt embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html iframe img input keygen li link listing main marquee menu meta nav noembed noframes noscript object ol p param plaintext pre script search section select source style summary table tbody td template textarea tfoot th thead title tr track ul wbr xmp foreignobject desc annotation-xml',
);
const SCOPE_BARRIER = words(
  'applet caption html table td th marquee object template foreignobject desc annotation-xml',
);
const FORMATTING_BARRIER = words('applet caption td th marquee object template');
const BREAKOUT = words(
  'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var section article main header footer nav aside form',
);
const ENDS_OTHERS = words(
  'li dd dt button option optgroup a h1 h2 h3 h4 h5 h6 td th tr tbody thead tfoot caption colgroup',
);
const HEAD_CONTENT = words(
  'base basefont bgsound link meta title script style template noscript noframes head',
);
const DROPS_WHITESPACE = words('head table thead tbody tfoot tr colgroup ul ol dl select');

const PLAIN = traitsOf('');

function traitsOf(name: string): TagTraits {
  return {
    isVoid: VOID.has(name),
    isSpecial: SPECIAL.has(name),
    isFormatting: FORMATTING.has(name),
    endsParagraph: ENDS_PARAGRAPH.has(name),
    isScopeBarrier: SCOPE_BARRIER.has(name),
    isFormattingBarrier: FORMATTING_BARRIER.has(name),
    isBreakout: BREAKOUT.has(name),
    isHeadContent: HEAD_CONTENT.has(name),
    endsOthers: ENDS_OTHERS.has(name),
    dropsWhitespace: DROPS_WHITESPACE.has(name),
  };
}

const TRAITS: ReadonlyMap<string, TagTraits> = new Map(
  [
    VOID,
    FORMATTING,
    ENDS_PARAGRAPH,
    SPECIAL,
    SCOPE_BARRIER,
    FORMATTING_BARRIER,
    BREAKOUT,
    ENDS_OTHERS,
    HEAD_CONTENT,
    DROPS_WHITESPACE,
  ].flatMap((names) => [...names].map((name) => [name, traitsOf(name)] as const)),
);

/** Traits of a lower-case tag name; an unknown one is an ordinary inline element. */
export function tagTraits(name: string): TagTraits {
  return TRAITS.get(name) ?? PLAIN;
}
