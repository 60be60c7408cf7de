import type { LlmMessage, LlmPart } from './llm-message.js';

/** Roles, separators and other text that a chat template adds to a message. */
const TOKENS_PER_MESSAGE = 32;
/** Text that a server may add. */
const TOKENS_PER_REQUEST = 64;
/** Smallest image patch that common models take as one token. */
const PIXELS_PER_TOKEN_EDGE = 14;
/** Start, end and thumbnail of an image. */
const TOKENS_PER_IMAGE = 1_024;
/** For an image of unknown size. */
const UNKNOWN_IMAGE_TOKENS = 65_536;
/** Average bytes of a token, in the languages and markup of pages. */
const BYTES_PER_TOKEN = 3.5;

/**
 * Maximum tokens of a prompt: tokenizers of language models use at most one token per byte of UTF-8.
 * @param schemaText a response schema, which servers may add to the prompt
 */
export function maxInputTokens(messages: readonly LlmMessage[], schemaText: string): number {
  const inMessages = messages
    .map(({ parts }) => TOKENS_PER_MESSAGE + sum(parts.map((part) => maxPartTokens(part))))
    .reduce((all, one) => all + one, 0);
  return TOKENS_PER_REQUEST + Buffer.byteLength(schemaText) + inMessages;
}

/** Estimated tokens of a prompt, for servers that do not count. */
export function estimateInputTokens(messages: readonly LlmMessage[], schemaText: string): number {
  const inMessages = messages
    .flatMap(({ parts }) => parts)
    .map((part) => (part.kind === 'text' ? estimateTokens(part.text) : maxPartTokens(part)));
  return estimateTokens(schemaText) + sum(inMessages);
}

export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

function maxPartTokens(part: LlmPart): number {
  return part.kind === 'text' ? Buffer.byteLength(part.text) : imageTokens(part.png);
}

function imageTokens(png: Uint8Array): number {
  // Width and height are the first fields of the first chunk (PNG 3rd edition, 11.2.1).
  if (png.byteLength < 24) return UNKNOWN_IMAGE_TOKENS;
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const across = Math.ceil(view.getUint32(16) / PIXELS_PER_TOKEN_EDGE);
  const down = Math.ceil(view.getUint32(20) / PIXELS_PER_TOKEN_EDGE);
  return Math.min(UNKNOWN_IMAGE_TOKENS, TOKENS_PER_IMAGE + across * down);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
