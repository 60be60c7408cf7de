import type { PageFacts } from '@app/contracts';
import type { PageEvidence } from './evidence.js';

/** With more text than this a page is read as it is, even beside an empty mount. */
const MAX_SHELL_CHARS = 400;
/** Most text beside an empty mount: a notice, a footer. */
const MAX_BESIDE_MOUNT_CHARS = 300;
/** Most text of a page of which scripts are expected to bring more without a mount to be seen. */
const MAX_SPARSE_CHARS = 100;
/** Mounts with this text hold a spinner or a slogan, not the page. */
const MAX_SPLASH_CHARS = 60;
/** A headline: source listings of two lines beside five scripts are pages. */
const MAX_HEADLINE_CHARS = 40;
const MANY_SCRIPTS = 3;
const MUCH_INLINE_CHARS = 4_000;

/** "You need JavaScript", as written on pages without other text. */
const ENABLE_JAVASCRIPT =
  /\b(?:enable|activate|turn on|allow|switch on)\b.{0,30}\bjava ?script\b|\bjava ?script\b.{0,40}\b(?:is|be|was|has been|seems? to be|appears to be) (?:required|needed|disabled|turned off|not enabled|not available|not supported|enabled|necessary)|\b(?:requires?|needs?|without) java ?script\b|java ?script (?:aktivieren|ist deaktiviert|wird benötigt|einschalten)|aktivieren sie .{0,30}java ?script|activer? (?:le )?java ?script|(?:activ[ae]r?|habilit[ae]r?|ativ[ae]r?) (?:el |o )?java ?script|(?:abilita|attiva)\w{0,20} java ?script|включ\S{0,20} .{0,20}java ?script|java ?scriptを有効|(?:启用|啟用|开启|開啟) ?java ?script|java ?script (?:inschakelen|etkinleştir)/i;

const LOADING =
  /^\W*(?:(?:the )?(?:(?:app|application|page|site|content|data)\s*)?(?:is )?(?:now )?load(?:ing)?(?: the)?(?: (?:app|application|page|site|content|data|your \w{1,40}))?|(?:please )?(?:wait|stand by)|just a (?:moment|second)|one moment|initiali[sz]ing|starting|connecting|redirecting|wird geladen|bitte warten|laden|chargement|cargando|carregando|caricamento|загрузка|подождите|加载中|正在加载|載入中|読み込み中|로딩 ?중|ładowanie|yükleniyor)(?:[\s,.…!:;%\d-]|please|wait|while|we|load|your|the|page|app|experience|en cours)*$/iu;

/** One sign that scripts are yet to bring the content. */
interface ShellSignal {
  readonly signal: (page: PageEvidence) => string;
  readonly maxChars: number;
  readonly test: (page: PageEvidence, scripts: ScriptKinds) => boolean;
}

const SHELL_SIGNALS: readonly ShellSignal[] = [
  {
    signal: () => 'enable_javascript_text',
    maxChars: MAX_SHELL_CHARS,
    // A notice above a short page is one sentence of several.
    test: ({ facts }) => facts.scripts > 0 && shareOfNotice(facts.text) >= 0.3,
  },
  {
    signal: ({ facts }) => `empty_mount:${facts.emptyMounts[0] ?? ''}`,
    maxChars: MAX_BESIDE_MOUNT_CHARS,
    test: ({ facts }) => facts.emptyMounts.length > 0 && facts.scripts > 0,
  },
  {
    signal: () => 'menu_only',
    maxChars: 1_500,
    test: ({ facts }, { bundles }) =>
      bundles > 0 && facts.emptyMounts.length > 0 && facts.linkChars > facts.visibleChars * 0.8,
  },
  {
    signal: () => 'splash_in_mount',
    maxChars: MAX_SPLASH_CHARS,
    test: ({ marks }, { bundles, boots }) =>
      (bundles > 0 || boots) && MOUNTS.some((id) => marks.has(id)),
  },
  {
    signal: () => 'loading_text',
    maxChars: MAX_SPLASH_CHARS,
    test: ({ facts }) => facts.scripts > 0 && LOADING.test(facts.text),
  },
  {
    signal: () => 'noscript_only',
    maxChars: MAX_SPARSE_CHARS,
    test: ({ facts, noscript }, { own, boots }) =>
      facts.scripts > 0 &&
      (ENABLE_JAVASCRIPT.test(noscript) ||
        (noscript.length > 3 * facts.visibleChars && (own > 0 || boots))),
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

/** The signs that a page is a shell, strongest first; empty: it is none. */
export function shellSignalsOf(page: PageEvidence): readonly string[] {
  const { visibleChars } = page.facts;
  if (visibleChars > 1_500) return [];
  const scripts = scriptKindsOf(page.facts);
  return SHELL_SIGNALS.filter(
    ({ maxChars, test }) => visibleChars <= maxChars && test(page, scripts),
  ).map(({ signal }) => signal(page));
}

/** Rendered, a page that requires scripts or still loads is unfinished. */
export function unfinishedSignalsOf(page: PageEvidence): readonly string[] {
  return shellSignalsOf(page).filter(
    (signal) => signal === 'enable_javascript_text' || signal === 'loading_text',
  );
}

/** Share of a text in sentences that require JavaScript. */
function shareOfNotice(text: string): number {
  if (text === '') return 0;
  const sentences = text.split(/(?<=[.!?。])\s*/);
  const notices = sentences.filter((sentence) => ENABLE_JAVASCRIPT.test(sentence));
  return notices.reduce((sum, { length }) => sum + length, 0) / text.length;
}

/**
 * Scripts that add nothing to read: they count, request consent, serve advertisements, chat, or are
 * libraries that do nothing until called.
 */
const BYSTANDER =
  /googletagmanager\.com|google-analytics\.com|\/gtag\/|\/analytics(?:[-.]|\/)|googlesyndication|doubleclick|adsbygoogle|connect\.facebook\.net|hotjar|clarity\.ms|segment\.(?:com|io)|plausible|matomo|piwik|umami|statcounter|newrelic|nr-data|sentry|bugsnag|datadoghq|cookiebot|onetrust|cookielaw|cookieconsent|osano|usercentrics|didomi|trustarc|quantcast|intercom|zendesk|hubspot|hs-scripts|crisp\.chat|tawk\.to|drift\.com|livechat|cloudflareinsights|\/cdn-cgi\/|rocket-loader|email-decode|polyfill\.io|\bjquery\b|jquery[.-]|\bbootstrap\b|modernizr|html5shiv|respond(?:\.min)?\.js|fontawesome|use\.typekit|webfont|recaptcha|hcaptcha|turnstile|captcha-delivery|datadome|perimeterx|px-cdn|_Incapsula_Resource|wp-emoji|js\.stripe\.com|paypal|platform\.twitter|mathjax|prism(?:\.min)?\.js|highlight/i;

/** How bundlers name what they make: an application's own code. */
const BUNDLE =
  /\/_next\/static\/|\/_nuxt\/|\/static\/js\/|\/_app\/immutable\/|\/webpack-runtime|(?:^|[/.])(?:main|app|application|bundle|vendors?|vendor~\w{1,100}|runtime(?:~main)?|polyfills|chunk-vendors|chunk-\w{6,100}|client|entry|umi|flutter(?:_bootstrap)?|main\.dart|index)(?:[.~_-][\w.~-]{0,200})?\.m?js(?:[?#]|$)|\/assets\/[\w.-]+-[\w-]{8}\.js/i;

/** Inline code that starts an application or holds its data. */
const BOOT_CODE =
  /\b__NEXT_DATA__\b|\bself\.__next_f\b|\bwindow\.__NUXT__|\b__INITIAL_STATE__\b|\b__APOLLO_STATE__\b|\b__PRELOADED_STATE__\b|\bwebpackJsonp|\bwebpackChunk|\bReactDOM\b|\bcreateRoot\(|\.mount\(['"]#|\bnew Vue\(|\bcreateApp\(|\bplatformBrowser|\binnerHTML\s*=|\bdocument\.write\(|\bappendChild\(|\binsertAdjacentHTML\(|\bSystem\.import\(|\bimport\(['"]|^\s*import[\s{*]/;

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
  /** Inline code leaves the page. */
  readonly movesOn: boolean;
}

function scriptKindsOf({ scriptSrcs, inlineScripts }: PageFacts): ScriptKinds {
  const own = scriptSrcs.filter((src) => !BYSTANDER.test(src));
  const code = inlineScripts.filter((text) => !INLINE_BYSTANDER.test(text.slice(0, 500)));
  return {
    own: own.length,
    bundles: own.filter((src) => BUNDLE.test(src)).length,
    hasOwnCode: code.length > 0,
    boots: code.some((text) => BOOT_CODE.test(text)),
    movesOn: code.some((text) => MOVES_ON.test(text)),
  };
}

/** Snippets that load trackers write script elements too. */
const INLINE_BYSTANDER =
  /googletagmanager|gtm\.start|GoogleAnalyticsObject|google-analytics|\bgtag\(|fbq\(|hotjar|_paq|clarity|adsbygoogle|__CF\$cv\$params|ddjskey|_pxAppId|NREUM|intercomSettings|_hsq|plausible|__tcfapi/;
