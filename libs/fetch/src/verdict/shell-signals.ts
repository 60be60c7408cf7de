import type { PageEvidence } from './evidence.js';
import { scriptKindsOf, type ScriptKinds } from './script-kinds.js';

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
