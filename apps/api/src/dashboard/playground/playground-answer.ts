import { isRecord } from '../http/one-time-notes.js';
import type { PlaygroundForm } from './playground.page.js';

/** The outcome of a playground form. */
export interface PlaygroundAnswer {
  readonly form: PlaygroundForm;
  /** The status that POST /v1/scrape would return. */
  readonly status: number;
  /** The page, or the body of the error. */
  readonly body: object;
  /** Null: failed. */
  readonly credits: number | null;
  /** The error text. */
  readonly problem: string | null;
  /** How to fix it. */
  readonly hint: string | null;
}

/** Reads a stored response, possibly written by another version. */
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
