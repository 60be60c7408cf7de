import { type MetadataLabel } from './label-sets.js';

const FIELDS = ['title', 'author', 'date'] as const;
export type MetadataField = (typeof FIELDS)[number];

/** A page's labels with what was found. */
export interface FoundMetadata {
  readonly label: MetadataLabel;
  readonly found: MetadataLabel;
}

export interface MetadataScore {
  readonly field: MetadataField;
  /** Of the labelled pages, those whose value was found. */
  readonly recall: number;
  /** Of the pages with a value and a label, those whose value is right. */
  readonly precision: number;
  readonly labelled: number;
}

export function scoreMetadata(pages: readonly FoundMetadata[]): readonly MetadataScore[] {
  return FIELDS.map((field) => {
    const labelled = pages.filter(({ label }) => label[field] !== undefined);
    const answered = labelled.filter(({ found }) => found[field] !== undefined);
    const right = answered.filter(({ label, found }) =>
      isSame(field, label[field] ?? '', found[field] ?? ''),
    );
    return {
      field,
      recall: right.length / Math.max(1, labelled.length),
      precision: right.length / Math.max(1, answered.length),
      labelled: labelled.length,
    };
  });
}

/**
 * Titles are the same but for case, white space and the form of quotes; authors when one is part of the other ("By A
 * B", "A B"); times on the same day.
 */
export function isSame(field: MetadataField, label: string, found: string): boolean {
  if (field === 'date') return label.slice(0, 10) === found.slice(0, 10);
  const [one, other] = [plain(label), plain(found)];
  if (one === '' || other === '') return false;
  return one === other || (field === 'author' && (isPart(one, other) || isPart(other, one)));
}

const isPart = (text: string, other: string): boolean => ` ${text} `.includes(` ${other} `);

const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
