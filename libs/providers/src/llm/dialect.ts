import type { LlmMessage, LlmPart } from './llm-message.js';

/** The protocol features that a server supports for one model; starts with all and drops refused ones. */
export interface Dialect {
  /** How JSON is requested; null: only by the prompt. */
  readonly format: 'json_schema' | 'json_object' | null;
  readonly maxTokensName: 'max_tokens' | 'max_completion_tokens';
  readonly takesTemperature: boolean;
  readonly takesStreamOptions: boolean;
  readonly streams: boolean;
}

export const FULL_DIALECT: Dialect = {
  format: 'json_schema',
  maxTokensName: 'max_tokens',
  takesTemperature: true,
  takesStreamOptions: true,
  streams: true,
};

/** JSON Schema of the answer. */
export interface AnswerSchema {
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
  /** Limited to what servers can enforce exactly: all fields required, objects closed. */
  readonly isStrict: boolean;
}

export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly LlmMessage[];
  /** Null: plain text. */
  readonly answer: AnswerSchema | null;
  readonly maxTokens: number;
}

/** Body of POST /chat/completions. */
export function requestBody(request: ChatRequest, dialect: Dialect): string {
  const { model, messages, answer, maxTokens } = request;
  return JSON.stringify({
    model,
    messages: messages.map(({ role, parts }) => ({ role, content: contentOf(parts) })),
    [dialect.maxTokensName]: maxTokens,
    ...(dialect.takesTemperature ? { temperature: 0 } : {}),
    ...(dialect.streams ? { stream: true } : {}),
    ...(dialect.streams && dialect.takesStreamOptions
      ? { stream_options: { include_usage: true } }
      : {}),
    ...responseFormat(answer, dialect.format),
  });
}

/** A lone surrogate, as a cut leaves it, is refused by servers. */
function contentOf(parts: readonly LlmPart[]): unknown {
  const [only] = parts;
  // Some servers accept lists only for vision models.
  if (parts.length === 1 && only?.kind === 'text') return only.text.toWellFormed();
  return parts.map((part) =>
    part.kind === 'text'
      ? { type: 'text', text: part.text.toWellFormed() }
      : {
          type: 'image_url',
          image_url: {
            url: `data:image/png;base64,${Buffer.from(part.png).toString('base64')}`,
          },
        },
  );
}

function responseFormat(answer: AnswerSchema | null, format: Dialect['format']): object {
  if (answer === null || format === null) return {};
  if (format === 'json_object') return { response_format: { type: 'json_object' } };
  const { name, schema, isStrict } = answer;
  return {
    response_format: { type: 'json_schema', json_schema: { name, schema, strict: isStrict } },
  };
}

export interface Adaptation {
  readonly dialect: Dialect;
  /** True: the server never supports it; false: only this schema is refused. */
  readonly isPermanent: boolean;
}

/**
 * The feature to drop after an error (400, 422) that names it; null: it names none.
 * @param refusal text of the server's error
 */
export function adapt(dialect: Dialect, refusal: string): Adaptation | null {
  const permanent = (change: Partial<Dialect>) => ({
    dialect: { ...dialect, ...change },
    isPermanent: true,
  });
  if (/max_completion_tokens/i.test(refusal) && dialect.maxTokensName === 'max_tokens') {
    return permanent({ maxTokensName: 'max_completion_tokens' });
  }
  if (/temperature/i.test(refusal) && dialect.takesTemperature) {
    return permanent({ takesTemperature: false });
  }
  if (/stream_options|include_usage/i.test(refusal) && dialect.takesStreamOptions) {
    return permanent({ takesStreamOptions: false });
  }
  if (FORMAT_WORDS.test(refusal) && dialect.format !== null) {
    const format = dialect.format === 'json_schema' ? 'json_object' : null;
    return { dialect: { ...dialect, format }, isPermanent: !SCHEMA_WORDS.test(refusal) };
  }
  if (/\bstream(?:ing)?\b/i.test(refusal) && dialect.streams) return permanent({ streams: false });
  return null;
}

const FORMAT_WORDS =
  /response_format|json_schema|json_object|json schema|structured|guided|grammar/i;
const SCHEMA_WORDS =
  /invalid schema|schema is invalid|invalid_json_schema|schema for response_format|compil|convert|parse/i;
