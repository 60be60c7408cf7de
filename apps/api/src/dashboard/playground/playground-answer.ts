import { isRecord } from '../http/one-time-notes.js';
import type { PlaygroundForm } from './playground.page.js';

/** What became of a form of the playground. */
export interface PlaygroundAnswer {
  readonly form: PlaygroundForm;
  /** As POST /v1/scrape would have answered. */
  readonly status: number;
  /** The page, or the body of the refusal. */
  readonly body: object;
  /** Null: refused. */
  readonly credits: number | null;
  /** Why it was refused. */
  readonly problem: string | null;
  /** What to do about it. */
  readonly hint: string | null;
}

/** Reads a kept answer, written by this or another version of us. */
export function answerIn(bytes: Buffer): PlaygroundAnswer {
  const value: unknown = JSON.parse(bytes.toString('utf8'));
  const fields = isRecord(value) ? value : {};
  const form = isRecord(fields['form']) ? fields['form'] : {};
  const { status, body, credits } = fields;
  return {
    form: {
      url: textOf(form['url']) ?? '',
      onlyMainContent: form['onlyMainContent'] === true,
      forceHeadless: form['forceHeadless'] === true,
    },
    status: typeof status === 'number' ? status : 200,
    body: isRecord(body) ? body : {},
    credits: typeof credits === 'number' ? credits : null,
    problem: textOf(fields['problem']),
    hint: textOf(fields['hint']),
  };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
