import { type Element } from 'domhandler';

/**
 * What an element's name, role, id and classes say of its part in the page.
 * - `main`: the landmark; `body`: the text of an article; `content`: some content
 * - `clutter`: about the site, not about this page; `talk`: what readers say
 * - `furniture`: about the text, not of it: who wrote it, when, what a picture shows
 */
export type BlockHint = 'main' | 'body' | 'content' | 'clutter' | 'talk' | 'furniture' | 'none';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const CLUTTER_NAMES = words('nav aside footer menu dialog search');

const CLUTTER_ROLES = words(
  'navigation banner contentinfo complementary search dialog alertdialog menu menubar toolbar tablist',
);

/** Words of ids and classes; tested on words, so "shared-memory" or "navigate" say nothing. */
const CLUTTER_WORDS = words(
  'nav navbar navigation topnav sidenav subnav menu submenu megamenu breadcrumb breadcrumbs pagination pager sidebar sidebars sphinxsidebar aside footer footnav masthead cookie cookies cookiebar cookiebanner consent gdpr ccpa cmp onetrust cookiebot didomi truste share sharing sharebar sharedaddy sharethis shares social socials addthis addtoany sociable related recommended recommendation recommendations recirculation recirc newsletter newsletters subscribe subscription signup promo promotion promotions promoted sponsor sponsored advert adverts advertisement advertising ad ads adsbygoogle adsense adslot taboola outbrain popup modal lightbox overlay toolbar skiplink banner relatedposts feedback login paywall trending popular readmore morefrom teaser teasers donate donation',
);

/** Clutter when nothing is before it: "widget-area", but not "elementor-widget". */
const LONE_CLUTTER = words('widget widgets');

/** Clutter below an article, the content of a forum. */
const TALK_WORDS = words(
  'comment comments commentlist commenting respond disqus livefyre discussion replies responses usercomments',
);

const FURNITURE_WORDS = words(
  'byline bylines author authors authorbox authorinfo bio vcard meta metadata postmeta postinfo postmetadata submeta date dates pubdate datetime timestamp dateline caption captions credit credits copyright attribution tag tags taglist keywords topics categories category kicker eyebrow headline standfirst dek readtime printonly print gallery slideshow carousel slider thumbnails player pullquote pullquotes tooltip popover hovercard rollover flyout dropdown rating ratings votes likes counter postnav nextprev prevnext permalink reprint buttons syndication followus follow contributors contributor signoff infobox keypoints disclosure disclaimer poll quiz',
);

/** Of a text they say that it can be shared: "entry share". */
const SHARING = words('share sharing shares social');

/** Text for screen readers only; inside an article it names pictures and controls. */
const UNSEEN_MARKS = words(
  'sr-only visually-hidden visuallyhidden screen-reader-text screen-reader-only assistive-text off-screen offscreen element-invisible',
);

/** Asides that belong to the text: notes and warnings of documentation. */
const NOTE_WORDS = words('note tip warning caution danger important admonition callout info hint');

const CONTENT_WORDS = words(
  'article content contents post posts entry story main body text page blog document documentation docs',
);

/** Two words that together name the text of an article: "article-body", "entry__content". */
const TEXT_NAMES = words(
  'article story post entry news blog page main the single node recipe content text field',
);
const BODY_NOUNS = words('body content contents text copy');
const BODY_WORDS = words(
  'articlebody storybody postbody entrycontent postcontent articlecontent articletext storytext maincontent bodytext bodycopy entrytext newsbody markdown prose wysiwyg richtext fulltext textbody',
);

/** Marks of a whole text, whatever its topics are called beside them ("post tag-newsletter"). */
const WHOLE_TEXT_MARKS = words('hentry post type-post article type-page');

/** First words of what a text is about, as WordPress marks it: "tag-advertising". */
const TOPIC_NAMES = words('tag category term tax format status type topic label');

/** Words of what a page has, not of what an element is: "has-sidebar", "main-with-sidebar". */
const STATES = words('has with no not without is hide show js');

/** First words of lists of other pages, whatever they list: "related-posts". */
const LEADS_AWAY = words(
  'related recommended similar trending popular sponsored promoted recirculation',
);

/** Nouns of layout: with them the word before says what it is ("cookie-wrapper", "share-list"). */
const LAYOUT_NOUNS = words(
  'wrapper wrap container box block bar list item items area section inner outer panel group links link buttons button row col left right top bottom region slot holder notice policy message dialog window form text title heading header module unit label full widget widgets content thread count',
);

/** Ids and classes remembered of one page; more are as many different ones. */
const MAX_KNOWN_MARKS = 10_000;

/** Characters of ids and classes examined. */
const MAX_HINT_CHARS = 300;

/** Clutter by the meaning of the element or its role, not by its class names. */
export function isSurelyClutter({ name, attribs }: Element): boolean {
  const { role } = attribs;
  return (
    CLUTTER_NAMES.has(name) || (role !== undefined && CLUTTER_ROLES.has(role.trim().toLowerCase()))
  );
}

/** What wins when the marks of one element say several things. */
const RANKS: Readonly<Record<BlockHint, number>> = {
  none: 0,
  content: 1,
  body: 2,
  furniture: 3,
  talk: 4,
  clutter: 5,
  main: 6,
};

/** Reads hints; one for each page, as it remembers classes: pages repeat the same few. */
export class HintReader {
  private readonly known = new Map<string, BlockHint>();

  hintOf(element: Element): BlockHint {
    const { name, attribs } = element;
    if (name === 'html' || name === 'body') return 'none';
    const role = attribs.role?.trim().toLowerCase();
    if (name === 'main' || role === 'main') return 'main';
    const marks = attribs.class ?? '';
    if (isSurelyClutter(element)) return isNote(marks) ? 'none' : 'clutter';
    if (attribs.itemprop?.includes('articleBody')) return 'body';
    const hint = higherOf(this.hintOfMarks(attribs.id ?? ''), this.hintOfMarks(marks));
    if (name === 'article' || role === 'article') return hint === 'body' ? 'body' : 'content';
    return name === 'figcaption' || name === 'time' ? 'furniture' : hint;
  }

  private hintOfMarks(marks: string): BlockHint {
    if (marks === '') return 'none';
    const known = this.known.get(marks);
    if (known !== undefined) return known;
    const hint = /\s/.test(marks) ? this.hintOfList(marks) : hintOfMark(marks);
    if (this.known.size < MAX_KNOWN_MARKS) this.known.set(marks, hint);
    return hint;
  }

  private hintOfList(marks: string): BlockHint {
    let hint: BlockHint = 'none';
    let isShared = false;
    for (const mark of marks.slice(0, MAX_HINT_CHARS).split(/\s+/)) {
      if (WHOLE_TEXT_MARKS.has(mark)) return 'content';
      if (SHARING.has(mark)) isShared = true;
      else hint = higherOf(hint, this.hintOfMarks(mark));
    }
    return isShared && hint !== 'content' && hint !== 'body' ? 'clutter' : hint;
  }
}

const higherOf = (one: BlockHint, other: BlockHint): BlockHint =>
  RANKS[one] >= RANKS[other] ? one : other;

function hintOfMark(mark: string): BlockHint {
  return UNSEEN_MARKS.has(mark) ? 'furniture' : hintOfWords(wordsOf(mark.slice(0, MAX_HINT_CHARS)));
}

const isNote = (marks: string): boolean =>
  marks !== '' && wordsOf(marks.slice(0, MAX_HINT_CHARS)).some((word) => NOTE_WORDS.has(word));

/** "sidebar-page-nav" is a navigation: the last word is the noun. */
function hintOfWords(all: readonly string[]): BlockHint {
  const state = all.findIndex((word) => STATES.has(word));
  const parts = state < 0 ? all : all.slice(0, state);
  const first = parts[0] ?? '';
  const noun = parts.at(-1) ?? '';
  if (parts.length > 1 && LEADS_AWAY.has(first)) return 'clutter';
  if (isBody(parts)) return 'body';
  const isPart = LAYOUT_NOUNS.has(noun) || /^\d+$/.test(noun);
  if (parts.length > 1 && TOPIC_NAMES.has(first) && !isPart) return 'none';
  const says = (set: ReadonlySet<string>): boolean => set.has(noun) || (isPart && set.has(first));
  if (says(TALK_WORDS)) return 'talk';
  if (LONE_CLUTTER.has(first)) return 'clutter';
  if (CONTENT_WORDS.has(noun)) return isAbout(parts.at(-2)) ? 'none' : 'content';
  if (says(CLUTTER_WORDS)) return 'clutter';
  return says(FURNITURE_WORDS) ? 'furniture' : 'none';
}

function isBody(parts: readonly string[]): boolean {
  const noun = parts.at(-1) ?? '';
  if (BODY_WORDS.has(noun) || BODY_WORDS.has(parts.join(''))) return true;
  return BODY_NOUNS.has(noun) && TEXT_NAMES.has(parts.at(-2) ?? '');
}

/** "comment-body" is no content of the page. */
const isAbout = (word = ''): boolean =>
  CLUTTER_WORDS.has(word) || TALK_WORDS.has(word) || FURNITURE_WORDS.has(word);

function wordsOf(mark: string): readonly string[] {
  const apart = /[a-z\d][A-Z]/.test(mark) ? mark.replace(/([a-z\d])([A-Z])/g, '$1-$2') : mark;
  return apart.toLowerCase().match(/[^-_:.\s]+/g) ?? [];
}
