import type { PageHole } from '@app/contracts';
import { Element, type Document, type Text } from 'domhandler';
import { holdsLandmark } from '../dom/landmarks.js';
import { countInk, isHidden, isUnseen } from '../dom/visibility.js';
import { walk, type Visitor } from '../dom/walk.js';
import { HintReader, isSurelyClutter } from '../main-content/block-hints.js';
import { isLoadingText, MAX_LOADING_CHARS } from './loading-text.js';
import { NamedElements } from './named-elements.js';

/** Elements, from the top, that are examined. */
const MAX_ELEMENTS = 30_000;
const MAX_HOLES = 20;
const MAX_CANDIDATES = 50;
const MAX_NAME_CHARS = 100;
/** Text kept to find loading texts in. */
const MAX_KEPT_CHARS = 50_000;
/** A busy element or a table with more text has its content. */
const MAX_BUSY_CHARS = 200;
const MAX_TABLE_HEAD_CHARS = 400;
/** Nodes at the top of a table among which its head is: a caption and columns, with white space, may come before. */
const MAX_TABLE_TOP = 10;
/** Text of the content beside its headings: a page with less, without pictures and controls, is bare. */
const MAX_BARE_BODY_CHARS = 20;
/** So is a page that is one short text as a whole. */
const MAX_BARE_PAGE_CHARS = 160;
/** Ids and classes of an element that are examined. */
const MAX_MARK_CHARS = 300;

/** What of a page's content is there, and what is missing. */
export interface ContentHoles {
  readonly contentChars: number;
  readonly holes: readonly PageHole[];
}

/** What a page says beside its tree. */
interface PageTerms {
  /** Its inline scripts, cut. */
  readonly codes: readonly string[];
  readonly visibleChars: number;
}

export function findHoles(document: Document, terms: PageTerms): ContentHoles {
  const finder = new HoleFinder();
  walk(document, finder);
  return finder.finish(terms);
}

/** Counts of what was met until an element was entered. */
interface Counts {
  readonly ink: number;
  readonly linkInk: number;
  readonly media: number;
  readonly textAt: number;
  readonly heads: number;
  readonly cells: number;
  readonly rows: number;
}

/**
 * A hole is a part of the content that the page announces and does not have. The content is what is outside menus,
 * footers, asides, advertisements and comments, from the first `h1` or `main` on. A part is announced by a block that
 * is a loading text and nothing else, by `aria-busy`, a skeleton, a table with a head and no rows, or a frame; by an
 * empty element that is bound to data (`hx-get`, `x-data`, `v-html`), has a name of its own (`price-table`), is named
 * by an inline script that writes, or is at least a block with an id or a class such as `results`. Elements that are
 * empty on whole pages (search, share, map, captcha) announce nothing. A page whose content is a heading and little
 * more, without pictures and controls, is bare. How much text may stand beside a hole, and which scripts it needs, is
 * for the verdict (`shell-signals.ts`).
 */
class HoleFinder implements Visitor {
  /** Text from the first `h1` or `main` on. */
  private startedChars: number | null = null;
  private unlinkedChars = 0;
  private headingChars = 0;
  private links = 0;
  private ink = 0;
  private media = 0;
  private heads = 0;
  private cells = 0;
  private rows = 0;
  private entered = 0;
  private linkInk = 0;
  private linkDepth = 0;
  private headingDepth = 0;
  /** The outermost open element whose text may be of the content, and whose holes are not: comments, teasers. */
  private other: Element | null = null;
  private seen = '';
  private readonly hints = new HintReader();
  private readonly opened: Counts[] = [];
  private readonly candidates: Element[] = [];
  private readonly holes: PageHole[] = [];

  text(data: string, { parent }: Text): void {
    const ink = countInk(data);
    this.ink += ink;
    if (this.startedChars !== null) this.startedChars += ink;
    if (this.linkDepth > 0) this.linkInk += ink;
    else this.unlinkedChars += ink;
    if (this.headingDepth > 0) this.headingChars += ink;
    if (UNFILLED.test(data) && parent instanceof Element && !CODE.has(parent.name))
      this.add('bound', parent);
    if (this.seen.length < MAX_KEPT_CHARS) {
      // Cut, it is still too long for a loading text.
      this.seen += data.slice(0, 2 * MAX_LOADING_CHARS).replace(/\s+/g, ' ');
    }
  }

  enter(element: Element): boolean {
    const { name } = element;
    this.entered++;
    if (MEDIA.has(name)) this.enterMedia(element);
    if (name === 'template' && isRepeated(element)) this.add('bound', element);
    if (isUnseen(element) || this.isBeside(element)) return false;
    if (this.startedChars === null && (name === 'h1' || name === 'main')) this.start();
    if (this.other === null && this.isOther(element)) this.other = element;
    if (name === 'a') {
      this.linkDepth++;
      this.links++;
    }
    if (HEADINGS.has(name)) this.headingDepth++;
    this.opened.push(this.counts());
    return true;
  }

  leave(element: Element): void {
    const { name } = element;
    const before = this.opened.pop();
    if (name === 'a') this.linkDepth--;
    if (HEADINGS.has(name)) this.headingDepth--;
    if (before === undefined) return;
    const ink = this.ink - before.ink;
    const isEmpty = ink === 0 && this.media === before.media;
    if (!isEmpty && (name === 'td' || name === 'th')) {
      if (name === 'th' || isInHead(element)) this.heads++;
      else this.cells++;
    }
    if (!isEmpty && name === 'tr' && !isInFoot(element)) this.rows++;
    if (isEmpty) this.leaveEmpty(element);
    else if (ink > 0) this.leaveFilled(element, ink, before);
    if (this.other === element) this.other = null;
  }

  isDone(): boolean {
    return this.entered > MAX_ELEMENTS;
  }

  finish({ codes, visibleChars }: PageTerms): ContentHoles {
    const isBare = this.isBare(visibleChars);
    const named = new NamedElements(this.candidates.length > 0 || isBare ? codes : []);
    for (const element of this.candidates) {
      const { name, attribs } = element;
      const isPart = PARTS.has(name);
      if (named.hasId(attribs.id ?? '') || (isPart && named.hasClass(attribs.class ?? '')))
        this.add('named', element);
      else if (isPart && (attribs.id || LISTED.test(marksOf(element)))) this.add('empty', element);
    }
    const { contentChars, holes } = this;
    if (!isBare) return { contentChars, holes };
    const bare = { kind: 'bare', name: named.areWritten ? 'script' : '' } as const;
    return { contentChars, holes: [...holes, bare] };
  }

  /** What is above (a menu, a layer over the page) is not of the content. */
  private start(): void {
    this.startedChars = 0;
    this.links = 0;
    this.holes.length = 0;
    this.candidates.length = 0;
  }

  /** Links count below the main heading: those above are a menu. */
  private get contentChars(): number {
    return Math.max(this.startedChars ?? 0, this.unlinkedChars);
  }

  private isBare(visibleChars: number): boolean {
    if (this.media > 0) return false;
    if (this.contentChars - this.headingChars <= MAX_BARE_BODY_CHARS) return true;
    return visibleChars <= MAX_BARE_PAGE_CHARS && this.links === 0;
  }

  private counts(): Counts {
    const { ink, linkInk, media, heads, cells, rows } = this;
    return { ink, linkInk, media, textAt: this.seen.length, heads, cells, rows };
  }

  private enterMedia(element: Element): void {
    const { name, attribs } = element;
    if (isHidden(element) || INDICATOR.test(attribs.class?.slice(0, MAX_MARK_CHARS) ?? '')) return;
    const drawn = `${attribs.class ?? ''} ${attribs.alt ?? ''} ${attribs.src ?? ''}`;
    if ((name === 'img' || name === 'svg') && SPINNER.test(drawn.slice(0, MAX_MARK_CHARS)))
      return this.add('skeleton', element);
    this.media++;
    if (name === 'iframe' && isPageFrame(element)) this.add('frame', element);
  }

  /** Whether an element is no part of the content, with all it holds. */
  private isBeside(element: Element): boolean {
    if (isSurelyClutter(element)) return true;
    if (element.name === 'header') return !holdsLandmark(element);
    return this.isOther(element) && AROUND.test(marksOf(element));
  }

  private isOther(element: Element): boolean {
    const { id, class: classes } = element.attribs;
    if (id === undefined && classes === undefined) return false;
    const hint = this.hints.hintOf(element);
    return (hint === 'clutter' || hint === 'talk') && !holdsLandmark(element);
  }

  private leaveEmpty(element: Element): void {
    const { name, attribs } = element;
    if (NEVER_PARTS.has(name) || MEDIA.has(name)) return;
    const marks = marksOf(element);
    if (SKELETON.test(marks) || isProgress(element)) return this.add('skeleton', element);
    if (name === 'body' || name === 'html' || BESIDE.test(marks)) return;
    if (name.includes('-') || !KNOWN.has(name)) return this.add('element', element);
    if (isBound(element)) return this.add('bound', element);
    const isKnown = attribs.id !== undefined || attribs.class !== undefined;
    if (isKnown && this.other === null && this.candidates.length < MAX_CANDIDATES)
      this.candidates.push(element);
  }

  private leaveFilled(element: Element, ink: number, before: Counts): void {
    const { name, attribs } = element;
    if (attribs['aria-busy'] === 'true' && ink <= MAX_BUSY_CHARS) return this.add('busy', element);
    if (name === 'table' && ink <= MAX_TABLE_HEAD_CHARS) {
      const isHead = this.heads - before.heads >= 2 && this.rows - before.rows <= 1;
      if (isHead && this.cells === before.cells && !BESIDE.test(marksOf(element)))
        return this.add('rows', element);
    }
    if (ink > MAX_LOADING_CHARS || ink === this.linkInk - before.linkInk) return;
    const said = this.seen.slice(before.textAt);
    if (said.length <= 2 * MAX_LOADING_CHARS && isLoadingText(said)) this.add('loading', element);
  }

  private add(kind: PageHole['kind'], { name, attribs }: Element): void {
    if (this.holes.length >= MAX_HOLES || this.other !== null) return;
    const mark = attribs.id ? `#${attribs.id}` : name;
    this.holes.push({ kind, name: mark.slice(0, MAX_NAME_CHARS).toWellFormed() });
  }
}

const setOf = (names: string): ReadonlySet<string> => new Set(names.split(' '));

/** What is looked at or used instead of read. */
const MEDIA = setOf(
  'img svg picture video audio canvas iframe object embed input select textarea button meter math hr amp-img amp-video amp-iframe',
);

/** Empty by nature, or for looks. */
const NEVER_PARTS = setOf('a i b em br wbr label option summary html');

/** Elements that hold parts of a page. */
const PARTS = setOf(
  'div section main article ul ol dl table tbody p form fieldset figure center pre',
);

/** The other elements of HTML that may be empty. */
const KNOWN = new Set([
  ...[...NEVER_PARTS, ...PARTS],
  ...'span td th li dd dt tr thead tfoot caption col colgroup h1 h2 h3 h4 h5 h6 hgroup header address blockquote pre code samp kbd var output time data strong u s small sub sup mark del ins cite q dfn abbr bdi bdo ruby rt font tt big details search slot map area noscript center strike acronym marquee nobr body'.split(
    ' ',
  ),
]);

/** What is around the content of every page. */
const AROUND =
  /(?<![a-z])(?:nav[a-z]*|topnav|sidenav|sub-?nav|[a-z]*menu|breadcrumbs?|sidebars?|footer|footnav|masthead|cookie[a-z]*|consent|gdpr|onetrust|newsletters?|popup|modal|lightbox|overlay|toolbar|ads?|advert[a-z]*|adslot|taboola|outbrain)(?![a-z])/;

const HEADINGS = setOf('h1 h2 h3 h4 h5 h6');

/** Classes of what holds many of a kind; other blocks without an id are empty on many pages. */
const LISTED =
  /(?<![a-z])(?:results?|list|listings?|rows|items|products|prices|feed|entries|cards|posts|offers|events|jobs)(?![a-z])/;

const CODE = setOf('code pre samp kbd');

/** A text that a template was to replace. */
const UNFILLED = /^\s*\{\{[^{}]{1,100}\}\}\s*$/;

const SPINNER = /(?<![a-z])(?:loading|spinner|loader|spin)(?![a-z])/i;

/** Shown while htmx loads, on a button as well as in the place of a list. */
const INDICATOR = /(?<![a-z])htmx-indicator(?![a-z])/;

const SKELETON =
  /(?<![a-z])(?:animate-pulse|skeletons?|shimmer|spinners?|loader|loading|placeholder-(?:glow|wave|item)|content-placeholder|ph-item|lds-[a-z]+|ghost)(?![a-z])/;

/** Words of ids, classes and names of what is empty on whole pages as well. */
const BESIDE =
  /(?<![a-z])(?:ads?|adv|advert[a-z]*|ad-?slot|adsense|gpt|dfp|banner|taboola|outbrain|sponsor[a-z]*|promo[a-z]*|cookies?|consent|gdpr|modals?|dialogs?|popups?|popover|overlays?|backdrop|toasts?|toaster|tooltips?|snackbar|notifications?|notices?|alerts?|flash|messages?|msg|errors?|search[a-z]*|suggest[a-z]*|autocomplete|typeahead|shar(?:e|es|ing)|social|follow|comments?|disqus|discourse|utterances|giscus|reply|chat[a-z]*|intercom|maps?|gmap|leaflet|mapbox|[a-z]*captcha|turnstile|newsletter|subscribe|login|signin|account|cart|basket|wishlist|nav[a-z]*|menu[a-z]*|sidebar|sidenav|drawer|toc|breadcrumbs?|foot(?:er)?|ft|bottom|header|hd|copyright|year|date|datepicker|calendar|clock|countdown|scroll[a-z]*|totop|top|progress[a-z]*|preload[a-z]*|sentinel|observer|anchors?|clear[a-z]*|spacers?|space|gap|divider|separator|line|bg|background|images?|img|icons?|fa|logo|video[a-z]*|player|youtube|audio|charts?|graph|plot|canvas|slider|slick|carousel|swiper|gallery|lightbox|fancybox|pswp|reviews?|ratings?|stars?|likes?|votes?|counter|pixel|tracking|analytics|gtm|fb|facebook|twitter|translate|lang[a-z]*|print|related|recommend[a-z]*|upsell|cross-?sells?|trending|feedback|survey|sticky|parallax|particles|decoration|shape|wave|portal|tips?|hint|help|live|announce[a-z]*|skip|toggle|button|btn|badge|close|arrows?|handle|mask|border|title(?:area)?)(?![a-z])/;

/** Attributes that bind an element to what a script brings. */
const BINDING =
  /^(?:x-(?:data|init|text|html|for)|v-(?:text|html|for|cloak|bind.*)|(?:data-)?ng-(?:repeat|bind.*|include|view|controller|app|init)|(?:data-)?hx-(?:get|post)|ic-src|wire:(?:init|id)|w3-include-html|up-poll|(?:data-)?(?:react|vue|svelte|component|controller|bind|url|source|endpoint|api|fetch|remote|feed|props|island|load|include|ajax)(?:-.*)?|(?:data-)?ui-view|spec-url|client:.*)$/;

function isProgress({ attribs }: Element): boolean {
  if (attribs['aria-busy'] === 'true' || attribs.role === 'progressbar') return true;
  return isLoadingText(attribs['aria-label'] ?? '');
}

/** A cell of a row of `thead`. */
function isInHead({ parent }: Element): boolean {
  return parent?.parent instanceof Element && parent.parent.name === 'thead';
}

/** A row of `tfoot` below a `thead`: it repeats the head, or sums up. */
function isInFoot({ parent }: Element): boolean {
  if (!(parent instanceof Element) || parent.name !== 'tfoot') return false;
  const top = parent.parent?.children.slice(0, MAX_TABLE_TOP) ?? [];
  return top.some((one) => one instanceof Element && one.name === 'thead');
}

/** A template that scripts repeat, where content may stand. */
function isRepeated(template: Element): boolean {
  const { parent } = template;
  return isBound(template) && !(parent instanceof Element && BESIDE.test(marksOf(parent)));
}

const PICTURE = /\.(?:jpe?g|png|gif|webp|svg|avif|mp4)(?:[?#]|$)/i;

function isBound({ attribs }: Element): boolean {
  for (const attribute in attribs) {
    if (BINDING.test(attribute) && !PICTURE.test(attribs[attribute] ?? '')) return true;
  }
  return false;
}

/** Its own name, id and classes as words apart. */
function marksOf({ name, attribs }: Element): string {
  const own = `${name} ${attribs.id ?? ''} ${attribs.class ?? ''}`.slice(0, MAX_MARK_CHARS);
  return own.replace(/([a-z\d])([A-Z])/g, '$1-$2').toLowerCase();
}

/** Frames of players, maps, advertisements and trackers hold no text of the page. */
const OTHER_FRAME =
  /^(?:about:|javascript:)|googletagmanager|doubleclick|googlesyndication|[/.]maps?(?:[./?#]|$)|openstreetmap|facebook\.com|twitter\.com|youtube|youtu\.be|vimeo|dailymotion|wistia|soundcloud|spotify|disqus|captcha|paypal|stripe|hotjar|instagram|tiktok|player/i;

function isPageFrame({ attribs }: Element): boolean {
  const { src = attribs['data-src'] ?? '', srcdoc, width, height } = attribs;
  if (/^\s*[01](?:px)?\s*$/.test(width ?? '') || /^\s*[01](?:px)?\s*$/.test(height ?? ''))
    return false;
  return srcdoc !== undefined || (src !== '' && !OTHER_FRAME.test(src));
}
