/** The fields of a result that the viewer shows. Stored results may be of any version, so every field is checked. */
export interface DisplayedResult {
  readonly url: string;
  readonly title: string | null;
  readonly statusCode: number | null;
  readonly fetchedBy: string | null;
  readonly latencyMs: number | null;
  readonly markdown: string | null;
  readonly partialReason: string | null;
  /** The whole result as JSON, for fields without a place of their own. */
  readonly json: string;
}

type Fields = Readonly<Record<string, unknown>>;

export function readDocument(value: unknown): DisplayedResult {
  const document = fieldsOf(value);
  const metadata = fieldsOf(document['metadata']);
  return {
    url: textIn(document, 'url') ?? '',
    title: textIn(metadata, 'title'),
    statusCode: numberIn(document, 'statusCode'),
    fetchedBy: textIn(metadata, 'fetchMethod'),
    latencyMs: numberIn(metadata, 'latencyMs'),
    markdown: textIn(document, 'markdown'),
    partialReason: textIn(document, 'partial_reason'),
    json: JSON.stringify(value, null, 2) ?? '',
  };
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function textIn(fields: Fields, name: string): string | null {
  const value = fields[name];
  return typeof value === 'string' ? value : null;
}

function numberIn(fields: Fields, name: string): number | null {
  const value = fields[name];
  return typeof value === 'number' ? value : null;
}
