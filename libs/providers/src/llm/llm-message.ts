/** A part of a message: text, or a picture as PNG. */
export type LlmPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image'; readonly png: Uint8Array };

/** Who speaks. What a page says is always part of a `user` message. */
export interface LlmMessage {
  readonly role: 'system' | 'user';
  readonly parts: readonly LlmPart[];
}

export function textMessage(role: LlmMessage['role'], text: string): LlmMessage {
  return { role, parts: [{ kind: 'text', text }] };
}
