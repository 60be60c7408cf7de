import type { PageFacts, PageHole } from '@app/contracts';
import type { PageEvidence } from './evidence.js';

/** With more text than this a page is read as it is, even beside an empty mount. */
const MAX_SHELL_CHARS = 400;
/** Most text beside an empty mount: a notice, an introduction. */
const MAX_BESIDE_MOUNT_CHARS = 300;
/** Most text beside a request in noscript. */
const MAX_BESIDE_NOTICE_CHARS = 300;
/** Most text of a page of which scripts are expected to bring more without a mount to be seen. */
const MAX_SPARSE_CHARS = 100;
/** Mounts with this text hold a spinner or a slogan, not the page. */
const MAX_SPLASH_CHARS = 60;
/** A headline: source listings of two lines beside five scripts are pages. */
const MAX_HEADLINE_CHARS = 40;
/** What a page announces is most of it beside less text. */
const MAX_ANNOUNCED_ALONE_CHARS = 200;
/** Most text beside an empty block without an id. */
const MAX_BESIDE_NAMELESS_CHARS = 200;
const MANY_SCRIPTS = 3;
const MUCH_INLINE_CHARS = 4_000;

/** "You need JavaScript", as written on pages without other text. */
const ENABLE_JAVASCRIPT =
  /\b(?:enable|activate|turn on|allow|switch on)\b.{0,30}\bjava ?script\b|\bjava ?script\b.{0,40}\b(?:is|be|was|has been|seems? to be|appears to be) (?:required|needed|disabled|turned off|not enabled|not available|not supported|enabled|necessary)|\b(?:requires?|needs?|without) java ?script\b|java ?script (?:aktivieren|ist deaktiviert|wird benötigt|einschalten)|aktivieren sie .{0,30}java ?script|activer? (?:le )?java ?script|(?:activ[ae]r?|habilit[ae]r?|ativ[ae]r?) (?:el |o )?java ?script|(?:abilita|attiva)\w{0,20} java ?script|включ\S{0,20} .{0,20}java ?script|java ?scriptを有効|(?:启用|啟用|开启|開啟) ?java ?script|java ?script (?:inschakelen|etkinleştir)/i;

/** Notices of a part of the page that no reader of its text needs, and the one of every page of Javadoc. */
const PART_ONLY =
  /\b(?:search|comments?|disqus|menus?|forms?|videos?|player|maps?|chat)\b|disabled on your browser/i;

/** One sign that scripts are yet to bring the content. */
interface ShellSignal {
  readonly signal: (page: PageEvidence) => string;
  /** Of the whole page, menus included; beside more it says nothing… */
  readonly maxChars: number;
  /** …unless the content has no more than this. */
  readonly maxContentChars?: number;
  readonly test: (page: PageEvidence, scripts: ScriptKinds) => boolean;
}

const SHELL_SIGNALS: readonly ShellSignal[] = [
  {
    signal: () => 'enable_javascript_text',
    maxChars: MAX_SHELL_CHARS,
    maxContentChars: MAX_SHELL_CHARS,
    // A notice above a short page is one sentence of several.
    test: ({ facts }) =>
      facts.scripts > 0 && noticeChars(facts.text) >= Math.max(1, facts.contentChars) * 0.3,
  },
  {
    signal: ({ facts }) => `empty_mount:${facts.emptyMounts[0] ?? ''}`,
    maxChars: MAX_BESIDE_MOUNT_CHARS,
    maxContentChars: MAX_BESIDE_MOUNT_CHARS,
    test: ({ facts }) => facts.emptyMounts.length > 0 && facts.scripts > 0,
  },
  {
    signal: () => 'splash_in_mount',
    maxChars: MAX_SPLASH_CHARS,
    test: ({ marks }, { bundles, boots }) =>
      (bundles > 0 || boots) && MOUNTS.some((id) => marks.has(id)),
  },
  {
    signal: () => 'noscript_only',
    maxChars: MAX_SPARSE_CHARS,
    test: ({ facts, noscript }, { own, boots }) =>
      facts.scripts > 0 &&
      (noticeChars(noscript) > 0 ||
        (noscript.length > 3 * facts.visibleChars && (own > 0 || boots))),
  },
  {
    signal: () => 'noscript_request',
    maxChars: MAX_SPARSE_CHARS,
    maxContentChars: MAX_BESIDE_NOTICE_CHARS,
    test: ({ facts, noscript }) => facts.scripts > 0 && noticeChars(noscript) > 0,
  },
  {
    signal: () => 'app_bundle',
    maxChars: MAX_SPARSE_CHARS,
    test: (_page, { bundles }) => bundles > 0,
  },
  {
    signal: () => 'low_text_many_scripts',
    maxChars: MAX_HEADLINE_CHARS,
    test: ({ facts }, { own, boots }) =>
      own >= MANY_SCRIPTS || (boots && (own > 0 || facts.inlineScriptChars > MUCH_INLINE_CHARS)),
  },
  {
    signal: () => 'script_redirect',
    maxChars: 0,
    test: (_page, { movesOn }) => movesOn,
  },
  {
    signal: () => 'blank_body',
    maxChars: 0,
    test: ({ facts }, { own, hasOwnCode }) => facts.images === 0 && (own > 0 || hasOwnCode),
  },
];

/** Ids that may hold a slogan or spinner until the application starts. */
const MOUNTS = ['#root', '#app', '#__next', '#__nuxt', '#___gatsby', '#app-root', '#react-root'];

/** What a hole in the content says. */
interface HoleRule {
  readonly signal: string;
  /** Beside more text of the content it says nothing. */
  readonly maxChars: number;
  /** Scripts without which nothing fills it. @default any script */
  readonly needs?: (scripts: ScriptKinds, hole: PageHole) => boolean;
  /** The page says so itself. */
  readonly isAnnounced?: true;
  /** The name of the element is part of the signal. */
  readonly isNamed?: true;
}

const HOLE_RULES: Readonly<Record<PageHole['kind'], HoleRule>> = {
  loading: { signal: 'loading_text', maxChars: 2_000, isAnnounced: true },
  busy: { signal: 'busy_element', maxChars: 2_000, isAnnounced: true },
  rows: { signal: 'table_without_rows', maxChars: 2_000, isAnnounced: true },
  named: { signal: 'named_element', isNamed: true, maxChars: 2_000 },
  skeleton: { signal: 'skeleton', maxChars: 1_500 },
  bound: { signal: 'bound_element', isNamed: true, maxChars: 1_000 },
  element: { signal: 'custom_element', isNamed: true, maxChars: 1_000 },
  frame: { signal: 'frame', maxChars: 300, needs: () => true },
  empty: { signal: 'empty_element', isNamed: true, maxChars: 600, needs: mayFill },
  bare: {
    signal: 'bare_page',
    maxChars: 200,
    needs: (scripts, { name }) => mayFill(scripts) && (scripts.own > 0 || name === 'script'),
  },
};

export interface ShellSigns {
  /** Strongest first; none: the page is complete. */
  readonly signals: readonly string[];
  /**
   * Only a browser can show whether anything is missing: the signs are of the content beside a menu, or of holes beside
   * other text.
   */
  readonly isGuess: boolean;
}

export function shellSignsOf(page: PageEvidence): ShellSigns {
  const { contentChars, visibleChars } = page.facts;
  const scripts = scriptKindsOf(page.facts);
  const found = SHELL_SIGNALS.filter(
    ({ maxChars, maxContentChars = -1, test }) =>
      (visibleChars <= maxChars || contentChars <= maxContentChars) && test(page, scripts),
  );
  const holes = holesOf(page, scripts);
  const isCertain =
    found.some(({ maxChars }) => visibleChars <= maxChars) ||
    (contentChars <= MAX_ANNOUNCED_ALONE_CHARS && holes.some(({ rule }) => rule.isAnnounced));
  const names = holes.map(({ rule, hole }) =>
    rule.isNamed ? `${rule.signal}:${hole.name}` : rule.signal,
  );
  return {
    signals: [...found.map(({ signal }) => signal(page)), ...names],
    isGuess: !isCertain,
  };
}

/** Layouts have empty blocks without an id. */
const isNameless = ({ kind, name }: PageHole): boolean => kind === 'empty' && !name.startsWith('#');

/** The first hole of each kind that counts. */
function holesOf(
  { facts }: PageEvidence,
  scripts: ScriptKinds,
): readonly { readonly rule: HoleRule; readonly hole: PageHole }[] {
  const seen = new Set<PageHole['kind']>();
  return facts.holes.flatMap((hole) => {
    const rule = HOLE_RULES[hole.kind];
    const { needs = () => facts.scripts > 0 } = rule;
    const maxChars = isNameless(hole) ? MAX_BESIDE_NAMELESS_CHARS : rule.maxChars;
    if (seen.has(hole.kind) || facts.contentChars > maxChars || !needs(scripts, hole)) return [];
    seen.add(hole.kind);
    return [{ rule, hole }];
  });
}

/** Rendered, a page that requires scripts, or still loads with nothing much beside, is unfinished. */
export function unfinishedSignalsOf(page: PageEvidence): readonly string[] {
  const isSparse = page.facts.contentChars <= MAX_SPARSE_CHARS;
  return shellSignsOf(page).signals.filter(
    (signal) =>
      signal === 'enable_javascript_text' ||
      (isSparse && /^(?:loading_text|busy_element)$/.test(signal)),
  );
}

/** Characters, white space apart, of sentences that require JavaScript for the page. */
function noticeChars(text: string): number {
  const sentences = text.split(/(?<=[.!?。])\s*/);
  const notices = sentences.filter(
    (sentence) => ENABLE_JAVASCRIPT.test(sentence) && !PART_ONLY.test(sentence),
  );
  return notices.join('').replace(/\s+/g, '').length;
}

/**
 * Scripts that add nothing to read: they count, request consent, serve advertisements, chat, or are
 * libraries that do nothing until called.
 */
const BYSTANDER =
  /googletagmanager\.com|google-analytics\.com|\/gtag\/|\/analytics(?:[-.]|\/)|googlesyndication|doubleclick|adsbygoogle|connect\.facebook\.net|hotjar|clarity\.ms|segment\.(?:com|io)|plausible|matomo|piwik|umami|statcounter|newrelic|nr-data|sentry|bugsnag|datadoghq|cookiebot|onetrust|cookielaw|cookieconsent|osano|usercentrics|didomi|trustarc|quantcast|intercom|zendesk|hubspot|hs-scripts|crisp\.chat|tawk\.to|drift\.com|livechat|cloudflareinsights|\/cdn-cgi\/|rocket-loader|email-decode|polyfill\.io|\bjquery\b|jquery[.-]|\bbootstrap\b|modernizr|html5shiv|respond(?:\.min)?\.js|fontawesome|use\.typekit|webfont|recaptcha|hcaptcha|turnstile|captcha-delivery|datadome|perimeterx|px-cdn|_Incapsula_Resource|wp-emoji|js\.stripe\.com|paypal|platform\.twitter|mathjax|prism(?:\.min)?\.js|highlight|\/(?:modal|dialog|popup|toast|tooltip|lightbox|cookies?|consent|share|nav|search(?:tools|er|[-_]?index|data)?|doctools|documentation_options|sphinx|darkfish|dynsections|menudata)[\w.-]{0,40}\.m?js|\bunderscore\b/i;

/** How bundlers name what they make: an application's own code. */
const BUNDLE =
  /\/_next\/static\/|\/_nuxt\/|\/static\/js\/|\/_app\/immutable\/|\/webpack-runtime|(?:^|[/.])(?:main|app|application|bundle|vendors?|vendor~\w{1,100}|runtime(?:~main)?|polyfills|chunk-vendors|chunk-\w{6,100}|client|entry|umi|flutter(?:_bootstrap)?|main\.dart|index)(?:[.~_-][\w.~-]{0,200})?\.m?js(?:[?#]|$)|\/assets\/[\w.-]+-[\w-]{8}\.js/i;

/** Inline code that starts an application or holds its data. */
const BOOT_CODE =
  /\b__NEXT_DATA__\b|\bself\.__next_f\b|\bwindow\.__NUXT__|\b__INITIAL_STATE__\b|\b__APOLLO_STATE__\b|\b__PRELOADED_STATE__\b|\bwebpackJsonp|\bwebpackChunk|\bReactDOM\b|\bcreateRoot\(|\.mount\(['"]#|\bnew Vue\(|\bcreateApp\(|\bplatformBrowser|\binnerHTML\s*=|\bdocument\.write\(|\bappendChild\(|\binsertAdjacentHTML\(|\bSystem\.import\(|\bimport\(['"]|^\s*import[\s{*]/;

/** Inline code that requests data, or holds as much as a page. */
const FETCHES =
  /\bfetch\(|XMLHttpRequest|\.(?:getJSON|ajax|get|post)\(|\baxios\b|EventSource\(|WebSocket\(|^[^]{1000}/;

/** An inline script that goes somewhere else and does nothing beside. */
const MOVES_ON =
  /\blocation(?:\.href)?\s*=(?!=)|\blocation\.(?:replace|assign|reload)\(|\bdocument\.forms?\b[^;]{0,40}\.submit\(|\.submit\(\)/;

interface ScriptKinds {
  /** External scripts that may bring content. */
  readonly own: number;
  /** Of them, those named as bundlers name them. */
  readonly bundles: number;
  /** Inline code other than trackers' snippets. */
  readonly hasOwnCode: boolean;
  /** Inline code starts an application or writes into the page. */
  readonly boots: boolean;
  /** Inline code requests data. */
  readonly fetches: boolean;
  /** Inline code leaves the page. */
  readonly movesOn: boolean;
}

/** Whether scripts of the page's own bring data. */
function mayFill({ own, hasOwnCode, fetches }: ScriptKinds): boolean {
  return own > 0 || (hasOwnCode && fetches);
}

function scriptKindsOf({ scriptSrcs, inlineScripts }: PageFacts): ScriptKinds {
  const own = scriptSrcs.filter((src) => !BYSTANDER.test(src));
  const code = inlineScripts.filter((text) => !INLINE_BYSTANDER.test(text.slice(0, 500)));
  return {
    own: own.length,
    bundles: own.filter((src) => BUNDLE.test(src)).length,
    hasOwnCode: code.length > 0,
    boots: code.some((text) => BOOT_CODE.test(text)),
    fetches: code.some((text) => FETCHES.test(text)),
    movesOn: code.some((text) => MOVES_ON.test(text)),
  };
}

/** Snippets that load trackers write script elements too. */
const INLINE_BYSTANDER =
  /googletagmanager|gtm\.start|GoogleAnalyticsObject|google-analytics|\bgtag\(|fbq\(|hotjar|_paq|clarity|adsbygoogle|__CF\$cv\$params|ddjskey|_pxAppId|NREUM|intercomSettings|_hsq|plausible|__tcfapi/;
