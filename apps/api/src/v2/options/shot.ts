import { pageShotProblem, type PageShot } from '@app/contracts';
import { invalidRequest } from '../../http/invalid-request.js';
import { booleanOption, objectOption, readOptions, type V2Fields } from './read-options.js';
import type { Warnings } from './warnings.js';

/** The options of a screenshot, as a format or as an action; a quality makes it a JPEG. @throws ApiError */
export function shotOf(options: V2Fields, at: string, warnings: Warnings): PageShot {
  const honoured = ['fullPage', 'quality', 'viewport'];
  const { fullPage, quality, viewport } = readOptions(options, { honoured, at }, warnings);
  const shot = {
    fullPage: booleanOption(fullPage, `${at}fullPage`) ?? false,
    format: quality === undefined ? ('png' as const) : ('jpeg' as const),
    ...(quality === undefined ? {} : { quality: numberOf(quality) }),
    ...(viewport === undefined ? {} : { viewport: viewportOf(viewport, at, warnings) }),
  };
  const problem = pageShotProblem(shot);
  if (problem !== null) throw invalidRequest(`\`${at.slice(0, -1)}\`: ${problem}`);
  return shot;
}

function viewportOf(value: unknown, at: string, warnings: Warnings): PageShot['viewport'] {
  const rules = { honoured: ['width', 'height'], at: `${at}viewport.` };
  const sent = objectOption(value, `${at}viewport`);
  const { width, height } = readOptions(sent, rules, warnings);
  return { widthPx: numberOf(width), heightPx: numberOf(height) };
}

/** Anything but a number is out of every range. */
const numberOf = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN);
