import { html, type Html } from './html.js';

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const MINUTE = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});
const NUMBER = new Intl.NumberFormat('en-US');

/** A time to the minute, in UTC, as the footer says; the attribute has milliseconds. */
export function timeText(at: Date | string | null, missing = '–'): Html {
  if (at === null) return html`${missing}`;
  const { iso, text } = momentText(at);
  return html`<time datetime="${iso}">${text}</time>`;
}

/** The two texts of {@link timeText}, for programs and for people. */
export function momentText(at: Date | string): { readonly iso: string; readonly text: string } {
  const date = new Date(at);
  return { iso: date.toISOString(), text: MINUTE.format(date) };
}

/** A day such as `22 Nov`. */
export function dayText(day: string): string {
  return DAY.format(new Date(`${day}T00:00:00Z`));
}

export function numberText(number: number): string {
  return NUMBER.format(number);
}

/** "crawl": "Crawl" */
export function titled(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** A duration for people: `840 ms`, `2.4 s`. */
export function durationText(ms: number | null): string {
  if (ms === null) return '–';
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}
