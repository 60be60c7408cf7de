import { type Element } from 'domhandler';

/** What an element's name, role, id and classes say of its part in the page. */
export type BlockHint = 'main' | 'content' | 'clutter' | 'none';

const CLUTTER_NAMES = new Set(['nav', 'aside', 'footer', 'menu', 'dialog', 'search']);

const CLUTTER_ROLES = new Set([
  'navigation',
  'banner',
  'contentinfo',
  'complementary',
  'search',
  'dialog',
  'alertdialog',
  'menu',
  'menubar',
  'toolbar',
  'tablist',
]);

/** Words of ids and classes; tested on words, so "shared-memory" or "navigate" say nothing. */
const CLUTTER_WORDS = new Set(
  'nav navbar navigation topnav sidenav subnav menu submenu megamenu breadcrumb breadcrumbs pagination pager sidebar sidebars sphinxsidebar aside footer footnav masthead cookie cookies cookiebar cookiebanner consent gdpr ccpa cmp onetrust cookiebot didomi truste share sharing sharebar sharedaddy social socials addthis addtoany related recommended recommendations recirculation comment comments commentlist respond disqus newsletter subscribe subscription signup promo promotion promoted sponsor sponsored advert adverts advertisement ad ads adsbygoogle adsense taboola outbrain popup modal lightbox overlay toolbar skiplink skip toc-mobile widget widgets banner'.split(
    ' ',
  ),
);

const CONTENT_WORDS = new Set(
  'article articlebody content contents post posts entry story main maincontent body text page blog markdown prose document documentation docs'.split(
    ' ',
  ),
);

/** Characters of ids and classes looked at. */
const MAX_HINT_CHARS = 300;

/** Clutter by the meaning of the element or its role, not by how somebody named it. */
export function isSurelyClutter({ name, attribs }: Element): boolean {
  const { role } = attribs;
  return (
    CLUTTER_NAMES.has(name) || (role !== undefined && CLUTTER_ROLES.has(role.trim().toLowerCase()))
  );
}

export function blockHintOf(element: Element): BlockHint {
  const { name, attribs } = element;
  const role = attribs.role?.trim().toLowerCase();
  if (name === 'main' || role === 'main') return 'main';
  if (isSurelyClutter(element)) return 'clutter';
  if (name === 'article' || role === 'article') return 'content';
  if (attribs.itemprop === 'articleBody') return 'main';
  return hintOfWords(`${attribs.id ?? ''} ${attribs.class ?? ''}`);
}

function hintOfWords(marks: string): BlockHint {
  if (marks === ' ') return 'none';
  let hint: BlockHint = 'none';
  for (const mark of marks.slice(0, MAX_HINT_CHARS).split(/\s+/)) {
    const words = wordsOf(mark);
    // "page-with-sidebar" names a page, "sidebar-page-nav" a navigation: the last word is the noun.
    const noun = words.at(-1) ?? '';
    const first = words[0] ?? '';
    if (STATES.has(first)) continue;
    if (words.length > 1 && LEADS_AWAY.has(first)) return 'clutter';
    if (CONTENT_WORDS.has(noun)) hint = 'content';
    else if (CLUTTER_WORDS.has(noun) || (CLUTTER_WORDS.has(first) && isPartOf(noun))) {
      return 'clutter';
    }
  }
  return hint;
}

/** First words of what a page has, not of what an element is: "has-sidebar". */
const STATES = new Set(['has', 'with', 'no', 'not', 'without', 'is', 'hide', 'show']);

/** First words of lists of other pages, whatever they list: "related-posts". */
const LEADS_AWAY = new Set(
  'related recommended similar trending popular sponsored promoted recirculation'.split(' '),
);

/** Nouns of layout: with them the word before tells what it is ("cookie-wrapper", "share-list"). */
const LAYOUT_NOUNS = new Set(
  'wrapper wrap container box block bar list item items area section inner outer panel group links link buttons button row col left right top bottom region slot holder notice policy message dialog form'.split(
    ' ',
  ),
);

const isPartOf = (noun: string): boolean => LAYOUT_NOUNS.has(noun) || /^\d+$/.test(noun);

function wordsOf(mark: string): readonly string[] {
  return mark
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[-_:.]+/)
    .filter((word) => word !== '');
}
