import type { ServerResponse } from 'node:http';
import type { Json, LlmPrompt } from './llm-request.js';

/** What a good answer carries, before a mode spoils it. */
export interface LlmAnswer {
  readonly content: string;
  readonly finishReason: string;
  readonly usage: Json | null;
  /** The model's thoughts, separate from the answer. */
  readonly reasoning?: string;
  readonly refusal?: string;
}

/** Characters of one streamed piece, and what counts as one token. */
const CHARS_PER_CHUNK = 24;
export const CHARS_PER_TOKEN = 4;

export function usageOf({ chars, images }: LlmPrompt, content: string): Json {
  const promptTokens = Math.ceil(chars / CHARS_PER_TOKEN) + 500 * images.length;
  const completionTokens = Math.ceil(content.length / CHARS_PER_TOKEN);
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
}

/** The answer as one object. */
export function completion(model: string, answer: LlmAnswer): Json {
  const { content, finishReason, usage, reasoning, refusal } = answer;
  const message = {
    role: 'assistant',
    content: refusal === undefined ? content : null,
    refusal: refusal ?? null,
    ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
  };
  return {
    id: 'chatcmpl-fake',
    object: 'chat.completion',
    created: 0,
    model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason }],
    ...(usage === null ? {} : { usage }),
  };
}

/** The answer as events, in order, without the last `[DONE]`. */
export function streamEvents(model: string, answer: LlmAnswer): string[] {
  const { content, finishReason, usage, reasoning, refusal } = answer;
  const base = { id: 'chatcmpl-fake', object: 'chat.completion.chunk', created: 0, model };
  const chunk = (delta: Json, finish: string | null = null) =>
    event({ ...base, choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }] });
  return [
    chunk({ role: 'assistant', content: '' }),
    ...pieces(reasoning ?? '').map((piece) => chunk({ reasoning_content: piece })),
    ...pieces(refusal ?? '').map((piece) => chunk({ refusal: piece })),
    ...pieces(refusal === undefined ? content : '').map((piece) => chunk({ content: piece })),
    chunk({}, finishReason),
    ...(usage === null ? [] : [event({ ...base, choices: [], usage })]),
  ];
}

export function event(data: Json): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

function pieces(text: string): string[] {
  return text.match(new RegExp(`[\\s\\S]{1,${CHARS_PER_CHUNK}}`, 'g')) ?? [];
}

export function startStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
}
