import { gatherEvidence, type PageEvidence, type JudgeInput } from './evidence.js';
import { PLACEHOLDER_SIGNATURES, SIGN_UP_SIGNATURES } from './placeholder-signatures.js';
import { PRODUCT_SIGNATURES } from './product-signatures.js';
import { shellSignsOf, unfinishedSignalsOf } from './shell-signals.js';
import type { Signature } from './signature.js';
import { WALL_SIGNATURES } from './wall-signatures.js';

/** The result of assessing a page. */
export interface Verdict {
  /**
   * `js_shell`: scripts were to bring the content. `blocked`: a bot wall, or one that asks for an account, responded
   * instead of the site. `empty`: nothing to read, or nothing of a site, and nothing that would bring it.
   */
  readonly kind: 'complete' | 'js_shell' | 'blocked' | 'empty';
  /** What it rests on, strongest first; for a complete page what was odd about it. */
  readonly signals: readonly string[];
  /** A shell of which only a browser can show whether it lacks anything. */
  readonly isGuess?: true;
  /** No fetch method would bring more: there is no site, or the wall is for people. */
  readonly isFinal?: true;
  /** Says more than the kind does. */
  readonly problem?: string;
}

const ACCOUNT_WANTED =
  'Fetch failed: the site asks for an account instead of showing the page (sign_up_wall)';

/**
 * Judges a text page (HTML, text, JSON, XML; a binary has no facts to judge) from what was read of
 * it. An error page of the site itself is `complete`: its status says the rest. Pure, and bounded
 * by the facts, which are cut.
 */
export function judgePage(input: JudgeInput): Verdict {
  const page = gatherEvidence(input);
  const walls = signalsOf(page, [...PRODUCT_SIGNATURES, ...WALL_SIGNATURES]);
  if (walls.length > 0) return verdict('blocked', walls, page);
  const placeholders = signalsOf(page, PLACEHOLDER_SIGNATURES);
  if (placeholders.length > 0) return { ...verdict('empty', placeholders, page), isFinal: true };
  const signUps = signalsOf(page, SIGN_UP_SIGNATURES);
  if (signUps.length > 0)
    return { ...verdict('blocked', signUps, page), isFinal: true, problem: ACCOUNT_WANTED };
  return page.isRendered ? judgeRendered(page) : judgeSource(page);
}

function signalsOf(page: PageEvidence, signatures: readonly Signature[]): readonly string[] {
  const signals = signatures
    .filter(({ where, test }) => (where === 'any' || page.isSmall) && test(page))
    .map(({ signal }) => signal);
  return [...new Set(signals)];
}

/**
 * "Redirecting to … Click here if nothing happens": the words of a page that is only on the way.
 */
const MAX_STUB_CHARS = 200;

/** A page as it was sent: a browser may bring what it lacks. */
function judgeSource(page: PageEvidence): Verdict {
  const { facts } = page;
  const { signals, isGuess } = shellSignsOf(page);
  if (signals.length > 0 && !(isGuess && page.isKnownWhole)) {
    const shell = verdict('js_shell', signals, page);
    return isGuess ? { ...shell, isGuess } : shell;
  }
  // A browser follows the refresh and reads the frames.
  if (facts.metaRefresh && facts.visibleChars <= MAX_STUB_CHARS)
    return verdict('js_shell', ['meta_refresh_stub'], page);
  if (facts.visibleChars > 0) return verdict('complete', signals, page);
  if (facts.images > 0) return verdict('complete', ['images_only'], page);
  if (facts.frameSrcs.some(isFramed)) return verdict('js_shell', ['frames_only'], page);
  return verdict('empty', ['blank_body'], page);
}

/** A page as a browser made it: what it lacks it will go on lacking. */
function judgeRendered(page: PageEvidence): Verdict {
  const { facts } = page;
  const unfinished = unfinishedSignalsOf(page);
  if (unfinished.length > 0) return verdict('js_shell', unfinished, page);
  if (facts.visibleChars > 0) return verdict('complete', [], page);
  if (facts.images > 0) return verdict('complete', ['images_only'], page);
  if (facts.frameSrcs.some(isFramed)) return verdict('complete', ['frames_only'], page);
  return verdict('empty', ['blank_body'], page);
}

/** Frames of trackers are loaded into every blank page. */
const isFramed = (src: string): boolean =>
  src !== '' &&
  !/^about:blank|^javascript:|googletagmanager\.com|doubleclick\.net|facebook\.com\/tr/i.test(src);

function verdict(kind: Verdict['kind'], signals: readonly string[], page: PageEvidence): Verdict {
  const { statusCode } = page;
  return { kind, signals: statusCode < 400 ? signals : [...signals, `status_${statusCode}`] };
}
