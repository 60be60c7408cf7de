/** What a fake model is asked, taken apart. */
export interface LlmPrompt {
  readonly model: string;
  /** All text of the role `system`. */
  readonly system: string;
  /** All text of the role `user`. */
  readonly user: string;
  /** What is between the markers of the user's text: the page. Empty when there are none. */
  readonly page: string;
  /** Text of the user's that is outside of the markers. */
  readonly outside: string;
  /** Schema the answer must match; null when none was sent. */
  readonly schema: Readonly<Record<string, unknown>> | null;
  readonly format: 'json_schema' | 'json_object' | null;
  readonly maxTokens: number;
  readonly isStream: boolean;
  readonly wantsUsage: boolean;
  /** Pictures as they were sent. */
  readonly images: readonly Buffer[];
  /** Characters of all messages. */
  readonly chars: number;
  readonly body: Json;
}

export type Json = Readonly<Record<string, unknown>>;

/** A request that the protocol refuses. */
export interface LlmRejection {
  readonly status: number;
  readonly error: Json;
}

export function refusal(status: number, message: string, more: Json = {}): LlmRejection {
  return {
    status,
    error: { message, type: 'invalid_request_error', param: null, code: null, ...more },
  };
}

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads a body of POST /v1/chat/completions strictly, as OpenAI's server does. */
export function readLlmRequest(text: string): LlmPrompt | LlmRejection {
  const body = parse(text);
  if (body === null) return refusal(400, 'We could not parse the JSON body of your request.');
  const { model, messages } = body;
  if (typeof model !== 'string' || model === '') {
    return refusal(400, 'you must provide a model parameter', { param: 'model' });
  }
  if (!Array.isArray(messages) || messages.length === 0 || !messages.every(isMessage)) {
    return refusal(400, "Invalid 'messages'", { param: 'messages' });
  }
  const maxTokens = body['max_tokens'] ?? body['max_completion_tokens'];
  if (!Number.isInteger(maxTokens) || Number(maxTokens) < 1) {
    return refusal(400, "Invalid 'max_tokens': it is the bound of what may be spent");
  }
  const known = { system: textOf(messages, 'system'), user: textOf(messages, 'user') };
  const format = readFormat(body['response_format'], `${known.system}\n${known.user}`);
  if ('status' in format) return format;
  return toPrompt(body, { ...known, ...format, messages, maxTokens: Number(maxTokens), model });
}

function toPrompt(
  body: Json,
  parts: Pick<LlmPrompt, 'model' | 'system' | 'user' | 'format' | 'schema' | 'maxTokens'> & {
    readonly messages: readonly Message[];
  },
): LlmPrompt {
  const { messages, user, ...rest } = parts;
  const fenced = FENCE.exec(user);
  const options = body['stream_options'];
  return {
    ...rest,
    user,
    page: (fenced?.[2] ?? '').replace(HEAD, ''),
    outside: fenced === null ? user : user.replace(fenced[0], ''),
    isStream: body['stream'] === true,
    wantsUsage: isJson(options) && options['include_usage'] === true,
    images: messages.flatMap(imagesOf),
    chars: messages.map(({ content }) => charsOf(content)).reduce((all, one) => all + one, 0),
    body,
  };
}

/** `<<<id`, the page, `id>>>`, each on a line. */
const FENCE = /<<<([0-9a-f]{16,64})\n([\s\S]*?)\n\1>>>/;

/** Address and title, which precede the page. */
const HEAD = /^Address: [^\n]*\n(?:Title: [^\n]*\n)?\n/;

interface Message {
  readonly role: string;
  readonly content: string | readonly Json[];
}

function isMessage(value: unknown): value is Message {
  if (!isJson(value)) return false;
  const { role, content } = value;
  const isKnown = role === 'system' || role === 'user' || role === 'assistant';
  return (
    isKnown && (typeof content === 'string' || (Array.isArray(content) && content.every(isPart)))
  );
}

function isPart(part: unknown): boolean {
  if (!isJson(part)) return false;
  if (part['type'] === 'text') return typeof part['text'] === 'string';
  const image = part['image_url'];
  return part['type'] === 'image_url' && isJson(image) && IMAGE.test(String(image['url']));
}

const IMAGE = /^data:image\/png;base64,([A-Za-z0-9+/]+={0,2})$/;

function textOf(messages: readonly Message[], role: string): string {
  return messages
    .filter((message) => message.role === role)
    .map(({ content }) =>
      typeof content === 'string' ? content : content.map((part) => part['text'] ?? '').join('\n'),
    )
    .join('\n');
}

function imagesOf({ content }: Message): Buffer[] {
  if (typeof content === 'string') return [];
  return content.flatMap((part) => {
    const image = part['image_url'];
    const found = isJson(image) ? IMAGE.exec(String(image['url'])) : null;
    return found?.[1] === undefined ? [] : [Buffer.from(found[1], 'base64')];
  });
}

function charsOf(content: Message['content']): number {
  if (typeof content === 'string') return content.length;
  return content
    .map((part) => String(part['text'] ?? '').length)
    .reduce((all, one) => all + one, 0);
}

type Format = Pick<LlmPrompt, 'format' | 'schema'>;

function readFormat(format: unknown, prompt: string): Format | LlmRejection {
  if (format === undefined) return { format: null, schema: null };
  if (!isJson(format))
    return refusal(400, "Invalid 'response_format'", { param: 'response_format' });
  if (format['type'] === 'json_object') {
    if (/json/i.test(prompt)) return { format: 'json_object', schema: null };
    return refusal(
      400,
      "'messages' must contain the word 'json' in some form to use 'json_object'",
    );
  }
  const spec = format['json_schema'];
  if (format['type'] !== 'json_schema' || !isJson(spec) || !isJson(spec['schema'])) {
    return refusal(400, "Invalid 'response_format'", { param: 'response_format' });
  }
  const { name } = spec;
  if (typeof name !== 'string' || !/^[\w-]{1,64}$/.test(name)) {
    return refusal(400, "Invalid 'response_format.json_schema.name'");
  }
  const problem = spec['strict'] === true ? strictProblem(spec['schema']) : null;
  if (problem !== null) return refusal(400, `Invalid schema for response_format: ${problem}`);
  return { format: 'json_schema', schema: spec['schema'] };
}

/** What strict mode demands of every object: all fields required, no others. */
function strictProblem(schema: unknown): string | null {
  if (Array.isArray(schema)) return schema.map(strictProblem).find((one) => one !== null) ?? null;
  if (!isJson(schema)) return null;
  const { properties, required, additionalProperties } = schema;
  if (isJson(properties)) {
    if (additionalProperties !== false) return "'additionalProperties' must be false";
    const names = Object.keys(properties).sort().join();
    const listed = Array.isArray(required) ? [...required].sort().join() : '';
    if (names !== listed) return "'required' must list every property";
  }
  return strictProblem(Object.values(schema));
}

function parse(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return isJson(value) ? value : null;
  } catch {
    // The answer says that it is no JSON.
    return null;
  }
}
