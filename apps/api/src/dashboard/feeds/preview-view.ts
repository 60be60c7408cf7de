import type { Definition } from '../html/definitions.js';
import { html, type Html } from '../html/html.js';
import { numberText } from '../html/time-text.js';
import { isRecord } from '../http/one-time-notes.js';
import { connectorForm } from '../playground/endpoints.js';
import { PLAYGROUND } from '../playground/playground.page.js';
import { answerParts } from '../results/result-view.js';
import { fieldNumber, fieldText, type Fields } from '../results/read-result.js';
import { PULLS } from './feed-list.page.js';
import { rowTable } from './row-view.js';

/** The first rows of a connector, what all would cost, and what to do with them; null: it is no preview. */
export function previewView(result: unknown, facts: readonly Definition[]): Html | null {
  if (!isRecord(result) || !Array.isArray(result['sample'])) return null;
  const jobId = fieldText(result, 'jobId');
  const connectorId = fieldText(result, 'connectorId');
  if (jobId === null || connectorId === null) return null;
  const rows = result['sample'].filter(isRecord);
  const estimated = fieldNumber(result, 'estimatedRows') ?? rows.length;
  const credits = numberText(fieldNumber(result, 'estimatedCredits') ?? 0);
  const params = isRecord(result['params']) ? result['params'] : {};
  const content = html`<h2 id="answer-title">The first rows</h2>
    ${rowTable('The first rows', { rows, empty: 'The connector found no rows.' })}
    <p class="actions">
      <a class="button primary" href="${PULLS}/${jobId}">Pull them</a>
      <a class="button" href="${watchAddress(connectorId, params)}">Watch them</a>
    </p>`;
  const about = [...facts, ['All rows', numberText(estimated)], ['They cost', credits]] as const;
  return answerParts(content, { facts: about, attempts: null });
}

/** The form of a feed with these parameters filled in. */
export function watchAddress(connectorId: string, params: Fields): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) query.set(`params.${name}`, formText(value));
  return `${PLAYGROUND}/${connectorForm(connectorId, 'createFeed')}?${query.toString()}`;
}

/** A value as a form has it: see read-form.ts. */
function formText(value: unknown): string {
  if (Array.isArray(value)) return value.join('\n');
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
