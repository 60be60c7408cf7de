import type { CitableSource } from '../search-task.js';

/** Sentences by which pages address a model instead of their readers. */
const ORDER =
  /\b(?:ignore|disregard|forget|override)\b.{0,60}\b(?:instructions?|prompts?|rules|above|previous)\b|\b(?:system|developer) prompt\b|\byou are (?:now )?an? (?:ai|assistant|chatbot|language model)\b|\b(?:respond|answer|reply) (?:only )?with\b|<\|?(?:im_start|im_end|system)\|?>/i;
const MAX_LINE_CHARS = 4_000;

/**
 * A source without lines that give a model orders: such a line is no statement about anything, so no sentence may rest on
 * it. The prompt keeps pages from giving orders; this keeps an obeyed one from being cited.
 */
export function withoutOrders(source: CitableSource): CitableSource {
  const kept = (text: string): string =>
    text
      .split('\n')
      .flatMap(sentencesOf)
      .filter((sentence) => !ORDER.test(sentence))
      .join('\n');
  return { ...source, title: kept(source.title), text: kept(source.text) };
}

/** Parts of a line at its full stops, none longer than a pattern may read. */
function sentencesOf(line: string): readonly string[] {
  return line
    .split(/(?<=[.!?])\s/)
    .flatMap((part) =>
      part.length <= MAX_LINE_CHARS ? [part] : (part.match(/[\s\S]{1,4000}/g) ?? []),
    );
}

/** The sources as data of a prompt, each below its number. */
export function answerData(sources: readonly CitableSource[]): string {
  return sources
    .map(({ position, url, title, text }) =>
      [`----- source [${position}] -----`, `Address: ${url}`, `Title: ${title}`, '', text].join(
        '\n',
      ),
    )
    .join('\n\n');
}
