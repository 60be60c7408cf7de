/** A part of a message: text, or an image as PNG. */
export type LlmPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image'; readonly png: Uint8Array };

/** The author of the message. Text of a page is always part of a `user` message. */
export interface LlmMessage {
  readonly role: 'system' | 'user';
  readonly parts: readonly LlmPart[];
}

export function textMessage(role: LlmMessage['role'], text: string): LlmMessage {
  return { role, parts: [{ kind: 'text', text }] };
}
