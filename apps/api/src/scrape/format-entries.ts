import { PART_LIMITS, type ModelClass, type WantedParts } from '@app/contracts';
import { isStorable } from '@app/content';
import type { ObjectChoice } from '../http/fields.js';
import { invalidRequest } from '../http/invalid-request.js';

const {
  most: MAX_PASSAGES,
  fallback,
  queryChars: MAX_QUERY_CHARS,
  reranked: RERANKED,
} = PART_LIMITS.passages;

/** An output that needs more than a name. */
export interface PassagesEntry {
  readonly type: 'passages';
  readonly query: string;
  readonly max?: number | null;
  readonly rerank?: boolean | null;
}

/** Documents and checks a {@link PassagesEntry}. */
export const PASSAGES_ENTRY: ObjectChoice = {
  schema: {
    type: 'object' as const,
    description:
      'The passages of the Markdown that answer a question, best first, by the words of the question: no model is needed.',
    required: ['type', 'query'],
    properties: {
      type: { type: 'string' as const, enum: ['passages'] },
      query: {
        type: 'string' as const,
        minLength: 1,
        maxLength: MAX_QUERY_CHARS,
        description: 'A question or words, in the language of the page.',
      },
      max: {
        type: 'integer' as const,
        nullable: true,
        minimum: 1,
        maximum: MAX_PASSAGES,
        default: fallback,
      },
      rerank: {
        type: 'boolean' as const,
        nullable: true,
        default: false,
        description: `A model puts the best ${RERANKED} in order; its cost is in \`metadata.llm\`. Only for POST /v1/scrape, where a model is configured.`,
      },
    },
    additionalProperties: false,
  },
  problem: (entry) => {
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry))
      return '`$property` must hold names, or an object with a `type`';
    const { type, query, max, rerank, ...others } = entry as Readonly<Record<string, unknown>>;
    const [unknown] = Object.keys(others);
    if (type !== 'passages')
      return '`$property`: an object needs the `type` "passages"; all other outputs are names';
    if (unknown !== undefined)
      return `\`$property\`: passages have no field \`${unknown.slice(0, 50)}\``;
    if (
      typeof query !== 'string' ||
      query.trim() === '' ||
      query.length > MAX_QUERY_CHARS ||
      !isStorable(query)
    )
      return `\`$property\`: passages need a \`query\`: a question or words, up to ${MAX_QUERY_CHARS} characters`;
    if (rerank !== undefined && rerank !== null && typeof rerank !== 'boolean')
      return '`$property`: `rerank` of passages must be true or false';
    const isNumber =
      max === undefined ||
      max === null ||
      (Number.isInteger(max) && Number(max) >= 1 && Number(max) <= MAX_PASSAGES);
    return isNumber
      ? null
      : `\`$property\`: \`max\` of passages must be a whole number from 1 to ${MAX_PASSAGES}`;
  },
};

type Entries<Name extends string> = readonly (Name | PassagesEntry)[] | null | undefined;

/** The outputs that are wanted by name; undefined: the request names none. */
export function formatNames<Name extends string>(formats: Entries<Name>): Name[] | undefined {
  return formats?.filter((entry): entry is Name => typeof entry === 'string');
}

/**
 * The parts of the Markdown that are wanted.
 * @param rerank class of the model that ranks passages; undefined: none may here
 * @throws ApiError
 */
export function wantedParts(
  {
    formats,
    maxTokens,
  }: { readonly formats?: Entries<string>; readonly maxTokens?: number | null },
  rerank?: () => ModelClass,
): WantedParts {
  const entry = formats?.find((one): one is PassagesEntry => typeof one === 'object');
  if (entry?.rerank && !rerank) throw invalidRequest(NOT_RERANKED);
  return {
    ...(entry ? { passages: passageQuery(entry, rerank) } : {}),
    ...(maxTokens == null ? {} : { maxTokens }),
  };
}

const NOT_RERANKED =
  '`formats`: passages are put in order by a model only in POST /v1/scrape: leave out `rerank`';

function passageQuery(
  { query, max, rerank: isReranked }: PassagesEntry,
  rerank?: () => ModelClass,
): WantedParts['passages'] {
  return { query, max: max ?? fallback, ...(isReranked && rerank ? { rerank: rerank() } : {}) };
}
