import type { ServerResponse } from 'node:http';
import { answerBadly, isFailureMode, type FailureMode } from './failure-modes.js';
import {
  CHARS_PER_TOKEN,
  completion,
  event,
  startStream,
  streamEvents,
  usageOf,
  type LlmAnswer,
} from './llm-answer.js';
import { readLikeAModel, type LlmScript } from './llm-reading.js';
import {
  readLlmRequest,
  refusal,
  type Json,
  type LlmPrompt,
  type LlmRejection,
} from './llm-request.js';
import { startLoopbackServer, type ProviderRequest } from './loopback-server.js';
import { sendJson } from '../site/send-json.js';

/**
 * What a server does not take: `no_schema` (DeepSeek), `no_json` (no response format at all),
 * `bad_schema` (this schema only), `no_temperature` and `max_completion_tokens` (OpenAI's reasoning
 * models), `no_stream_options`, `no_stream`, `too_long` (vLLM), `quota` (OpenAI).
 */
export const LLM_REFUSALS = [
  'no_schema',
  'no_json',
  'bad_schema',
  'no_temperature',
  'max_completion_tokens',
  'no_stream_options',
  'no_stream',
  'too_long',
  'quota',
] as const;
/**
 * How an answer comes: `plain` (not streamed, though asked), `no_usage`, `huge_usage`, `fenced`,
 * `thinking` (`<think>` in the answer), `reasoning` (beside it), `keep_alive` (comments before it),
 * `refusal`, `filtered`, `length` (half of it), `not_json`, `wrong_schema`, `cut_stream`,
 * `stall` (half a stream, then silence), `stream_error`.
 */
export const LLM_MANNERS = [
  'ok',
  'plain',
  'no_usage',
  'huge_usage',
  'fenced',
  'thinking',
  'reasoning',
  'keep_alive',
  'refusal',
  'filtered',
  'length',
  'not_json',
  'wrong_schema',
  'cut_stream',
  'stall',
  'stream_error',
] as const;
type ApiError = (typeof LLM_REFUSALS)[number];
type Manner = (typeof LLM_MANNERS)[number];
export type LlmMode = Manner | ApiError | FailureMode;

export interface FakeLlmOptions {
  /** Null: none is wanted. @default 'fake-llm-key' */
  readonly key?: string | null;
  /** Delay of the mode `slow`. @default 1_000 */
  readonly slowMs?: number;
}

export interface FakeLlmServer {
  /** What a client is configured with: with /v1. */
  readonly baseUrl: string;
  readonly key: string | null;
  /** For all requests to come; those that refuse check whether a request contains what they refuse. */
  mode: LlmMode;
  /** Modes of the next requests, first to last; they go before `mode`. */
  readonly nextModes: LlmMode[];
  /** What the model says; undefined for what it reads by itself (see `readLikeAModel`). */
  script: LlmScript;
  /** All requests, refused ones too. Oldest first. */
  readonly requests: readonly ProviderRequest[];
  /** Those whose shape and key were right. */
  readonly prompts: readonly LlmPrompt[];
  /** It is as it was when it started. */
  reset(): void;
  close(): Promise<void>;
}

/** A model server on loopback that speaks POST /v1/chat/completions, strictly. Deterministic. */
export async function startFakeLlm(options: FakeLlmOptions = {}): Promise<FakeLlmServer> {
  const { key = 'fake-llm-key', slowMs = 1_000 } = options;
  const initial: { mode: LlmMode; script: LlmScript } = { mode: 'ok', script: () => undefined };
  const state = { ...initial };
  const nextModes: LlmMode[] = [];
  const prompts: LlmPrompt[] = [];
  const server = await startLoopbackServer(async (request, response) => {
    const prompt = readRequest(request, key);
    if ('status' in prompt) return sendRejection(response, prompt);
    prompts.push(prompt);
    const mode = nextModes.shift() ?? state.mode;
    if (isFailureMode(mode)) {
      const answer = answerOf(prompt, 'ok', state.script);
      const body = JSON.stringify(completion(prompt.model, answer));
      const good = async () => ({ contentType: 'application/json', body });
      const errorBody = (status: number) =>
        JSON.stringify({ error: { message: `status ${status} for key ${key}`, code: null } });
      return answerBadly(response, { mode, presentedKey: key ?? '', slowMs, errorBody, good });
    }
    const refused = isRejection(mode) ? rejectionFor(mode, prompt) : null;
    if (refused !== null) return sendRejection(response, refused);
    send(response, prompt, isRejection(mode) ? 'ok' : mode, state.script);
  });
  return {
    baseUrl: `http://127.0.0.1:${server.port}/v1`,
    key,
    nextModes,
    prompts,
    get mode() {
      return state.mode;
    },
    set mode(mode) {
      state.mode = mode;
    },
    get script() {
      return state.script;
    },
    set script(script) {
      state.script = script;
    },
    requests: server.requests,
    reset() {
      Object.assign(state, initial);
      for (const list of [nextModes, prompts, server.requests]) list.length = 0;
    },
    close: server.close,
  };
}

function isRejection(mode: LlmMode): mode is ApiError {
  return LLM_REFUSALS.some((one) => one === mode);
}

function readRequest(
  { method, path, headers, body }: ProviderRequest,
  key: string | null,
): LlmPrompt | LlmRejection {
  if (method !== 'POST' || path !== '/v1/chat/completions') return refusal(404, 'Not Found');
  if (key !== null && headers['authorization'] !== `Bearer ${key}`) {
    const shown = headers['authorization'] ?? 'none';
    return refusal(401, `Incorrect API key provided: ${shown}`, { code: 'invalid_api_key' });
  }
  if (!headers['content-type']?.startsWith('application/json')) {
    return refusal(415, 'Unsupported media type');
  }
  return readLlmRequest(body);
}

function sendRejection(response: ServerResponse, { status, error }: LlmRejection): void {
  sendJson(response, status, { error });
}

/** The words of real servers; null: the request holds nothing that is refused. */
function rejectionFor(
  mode: ApiError,
  { format, body, isStream, wantsUsage }: LlmPrompt,
): LlmRejection | null {
  const when = (isRefused: boolean, message: string, more: Json = {}, status = 400) =>
    isRefused ? refusal(status, message, more) : null;
  switch (mode) {
    case 'no_schema':
      return when(format === 'json_schema', 'This response_format type is unavailable now');
    case 'no_json':
      return when(format !== null, "Unknown parameter: 'response_format'", {}, 422);
    case 'bad_schema':
      return when(format === 'json_schema', "Invalid schema for response_format 'answer'");
    case 'no_temperature':
      return when(
        body['temperature'] !== undefined,
        "Unsupported value: 'temperature' does not support 0 with this model.",
        { param: 'temperature', code: 'unsupported_value' },
      );
    case 'max_completion_tokens':
      return when(
        body['max_tokens'] !== undefined,
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        { param: 'max_tokens', code: 'unsupported_parameter' },
      );
    case 'no_stream_options':
      return when(wantsUsage, 'Unrecognized request argument supplied: stream_options');
    case 'no_stream':
      return when(isStream, 'Streaming is not supported by this model');
    case 'too_long':
      return refusal(400, "This model's maximum context length is 4096 tokens.", {
        type: 'BadRequestError',
        code: 400,
      });
    case 'quota':
      return refusal(429, 'You exceeded your current quota', { code: 'insufficient_quota' });
  }
}

function answerOf(prompt: LlmPrompt, manner: Manner, script: LlmScript): LlmAnswer {
  const said = script(prompt) ?? readLikeAModel(prompt);
  const full = typeof said === 'string' ? said : JSON.stringify(said);
  const spoilt = SPOILT[manner]?.(full) ?? full;
  const content = spoilt.slice(0, prompt.maxTokens * CHARS_PER_TOKEN);
  const usage = manner === 'no_usage' ? null : usageOf(prompt, content);
  const isCut = manner === 'length' || content !== spoilt;
  const finishReason = manner === 'filtered' ? 'content_filter' : isCut ? 'length' : 'stop';
  return {
    content,
    finishReason,
    usage: manner === 'huge_usage' ? { prompt_tokens: 1e12, completion_tokens: 1e12 } : usage,
    ...(manner === 'reasoning' ? { reasoning: 'Let me see. {"data": "not this"}' } : {}),
    ...(manner === 'refusal' ? { refusal: "I'm sorry, I can't help with that." } : {}),
  };
}

const SPOILT: Readonly<Partial<Record<Manner, (content: string) => string>>> = {
  fenced: (content) => `Here you are:\n\`\`\`json\n${content}\n\`\`\`\nAnything else?`,
  thinking: (content) => `<think>\nHm, {"a": 1}?\n</think>\n\n${content}`,
  length: (content) => content.slice(0, Math.ceil(content.length / 2)),
  not_json: () => 'I found nothing that I could put into words.',
  wrong_schema: () => '{"data": 7, "other": true}',
};

function send(
  response: ServerResponse,
  prompt: LlmPrompt,
  manner: Manner,
  script: LlmScript,
): void {
  const answer = answerOf(prompt, manner, script);
  if (!prompt.isStream || manner === 'plain') {
    return sendJson(response, 200, completion(prompt.model, answer));
  }
  const usage = prompt.wantsUsage ? answer.usage : null;
  const events = streamEvents(prompt.model, { ...answer, usage });
  const half = events.slice(0, Math.ceil(events.length / 2));
  startStream(response);
  if (manner === 'stall') return void response.write(half.join(''));
  if (manner === 'cut_stream') {
    return void response.write(half.join(''), () => response.destroy());
  }
  if (manner === 'stream_error') {
    half.push(event({ error: { message: 'The engine died', code: 500 } }));
    return void response.end(half.join(''));
  }
  const gap = manner === 'keep_alive' ? ': waiting\n\n' : '';
  response.end(`${gap}${events.join(gap)}data: [DONE]\n\n`);
}
