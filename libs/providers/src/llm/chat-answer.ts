import type { TokenCount } from './llm-budget.js';

/** A model's answer as received, complete or not. */
export interface ChatAnswer {
  readonly text: string;
  /** Its reasoning, which is charged as well. */
  readonly thoughts: string;
  /** `cut`: it reached its maximum length. `broken`: the stream ended before the answer did. */
  readonly ending: 'whole' | 'cut' | 'refused' | 'broken';
  /** As the server counted; null if it did not. */
  readonly usage: TokenCount | null;
}

type Json = Readonly<Record<string, unknown>>;

/** Reads a streamed or a plain answer, distinguished by their beginning; null: it is neither. */
export function readChatAnswer(body: string): ChatAnswer | null {
  const text = body.trimStart();
  return text.startsWith('{') ? readPlain(text) : readStream(text);
}

function readPlain(body: string): ChatAnswer | null {
  const json = parseObject(body);
  if (json === null) return null;
  const collected = new Collected();
  collected.add(json);
  return collected.hasData ? collected.answer() : null;
}

function readStream(body: string): ChatAnswer | null {
  const collected = new Collected();
  for (const event of body.split(/\r?\n\r?\n/)) {
    const data = dataOf(event);
    if (data === '' || data === null) continue;
    if (data === '[DONE]') {
      collected.isDone = true;
      break;
    }
    const json = parseObject(data);
    // An interrupted stream ends within an event; the events before it count.
    if (json !== null) collected.add(json);
  }
  return collected.hasData ? collected.answer() : null;
}

/** The data of one event of a stream (WHATWG HTML, 9.2.6); comments only keep the connection open. */
function dataOf(event: string): string | null {
  const lines = event.split(/\r?\n/).filter((line) => line.startsWith('data:'));
  return lines.length === 0 ? null : lines.map((line) => line.slice(5).trim()).join('\n');
}

/** Joins the chunks of a stream, or reads the one object of a plain answer. */
class Collected {
  hasData = false;
  /** The stream announced its end. */
  isDone = false;
  private text = '';
  private thoughts = '';
  private refusal = '';
  private finish: string | null = null;
  private usage: TokenCount | null = null;
  private hasError = false;

  add(json: Json): void {
    // Servers that fail during the answer can only report it within the stream.
    if (isObject(json['error']) || typeof json['error'] === 'string') {
      this.hasData = true;
      this.hasError = true;
    }
    this.usage = readUsage(json['usage']) ?? this.usage;
    const choices: unknown = json['choices'];
    if (!Array.isArray(choices)) return;
    this.hasData = true;
    const first: unknown = choices[0];
    if (isObject(first)) this.addChoice(first);
  }

  answer(): ChatAnswer {
    const { text, thoughts, usage } = this;
    return { text, thoughts, ending: this.ending(), usage };
  }

  /** `reasoning_content` and similar fields are the model's reasoning, not its answer. */
  private addChoice(choice: Json): void {
    const said = isObject(choice['delta']) ? choice['delta'] : choice['message'];
    if (isObject(said)) {
      if (typeof said['content'] === 'string') this.text += said['content'];
      const thought = said['reasoning_content'] ?? said['reasoning'];
      if (typeof thought === 'string') this.thoughts += thought;
      if (typeof said['refusal'] === 'string') this.refusal += said['refusal'];
    }
    if (typeof choice['finish_reason'] === 'string') this.finish = choice['finish_reason'];
  }

  private ending(): ChatAnswer['ending'] {
    if (this.hasError) return 'broken';
    if (this.refusal !== '' || this.finish === 'content_filter') return 'refused';
    if (this.finish === null) return this.isDone ? 'whole' : 'broken';
    return this.finish === 'length' ? 'cut' : 'whole';
  }
}

function readUsage(usage: unknown): TokenCount | null {
  if (!isObject(usage)) return null;
  const inputTokens = usage['prompt_tokens'];
  const outputTokens = usage['completion_tokens'];
  return isCount(inputTokens) && isCount(outputTokens) ? { inputTokens, outputTokens } : null;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

export interface ChatRefusal {
  /** Text of the error: searched for known phrases, never shown, since it may quote anything. */
  readonly words: string;
  readonly code: string | null;
}

const MAX_REFUSAL_CHARS = 2_000;

/** The text of an error response, in the shapes that servers use. */
export function readRefusal(body: string): ChatRefusal {
  const json = parseObject(body.trim());
  const error = json?.['error'] ?? json?.['detail'] ?? json?.['message'];
  const inner = isObject(error) ? error : json;
  const code: unknown = inner?.['code'] ?? inner?.['type'];
  const message: unknown = isObject(error) ? error['message'] : error;
  const param: unknown = inner?.['param'];
  const words = [message, param, code]
    .filter((one) => one != null)
    .map(asText)
    .join(' ');
  return {
    words: (words === '' ? body : words).slice(0, MAX_REFUSAL_CHARS),
    code: typeof code === 'string' ? code : null,
  };
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function parseObject(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    // Not JSON: the caller decides what that means.
    return null;
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
