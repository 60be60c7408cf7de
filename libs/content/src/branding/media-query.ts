import { MAX_CSS_VALUE_CHARS } from '../limits.js';

/** CSS pixels of the window that a page is thought to be shown in. */
const WINDOW_PX = 1_280;

/** Whether a light screen of {@link WINDOW_PX} matches a media query; '' matches always. */
export function isForDesktop(condition: string): boolean {
  const query = condition.slice(0, MAX_CSS_VALUE_CHARS).toLowerCase();
  if (/\bprint\b|\bspeech\b|\bnot\s+(?:all|screen)\b/.test(query)) return /,/.test(query);
  if (/prefers-color-scheme\s*:\s*dark|prefers-reduced|prefers-contrast|forced-colors/.test(query))
    return false;
  const widest = /(?:max-width\s*:|width\s*<=?)\s*([\d.]+)(px|r?em)/.exec(query);
  if (widest !== null && pixels(widest) < WINDOW_PX) return false;
  const narrowest = /(?:min-width\s*:|width\s*>=?)\s*([\d.]+)(px|r?em)/.exec(query);
  return narrowest === null || pixels(narrowest) <= WINDOW_PX;
}

const pixels = ([, amount, unit]: RegExpExecArray): number =>
  Number(amount) * (unit === 'px' ? 1 : 16);
