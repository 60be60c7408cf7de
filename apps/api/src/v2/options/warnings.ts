import { shortened } from '../../http/hints/field-hints.js';

/** More are counted: a body may hold very many. */
const MAX_NAMED = 20;

/** Collects what a response warns of: options that were ignored, and content that is incomplete. */
export class Warnings {
  private readonly names = new Set<string>();
  private readonly notes: string[] = [];
  private unnamed = 0;

  /** @param at the object that holds the option, such as `scrapeOptions.` */
  ignore(name: string, at = ''): void {
    if (this.names.size >= MAX_NAMED) this.unnamed++;
    // The warning of a job is stored: the database refuses NUL and halves of surrogate pairs.
    else this.names.add(`${at}${shortened(name).replaceAll('\0', '\ufffd').toWellFormed()}`);
  }

  note(text: string): void {
    this.notes.push(text);
  }

  /** Null: nothing to warn of. */
  get text(): string | null {
    const parts = [...this.ignored(), ...this.notes];
    return parts.length === 0 ? null : parts.join(' ');
  }

  private ignored(): string[] {
    if (this.names.size === 0) return [];
    const more = this.unnamed > 0 ? ` and ${this.unnamed} more` : '';
    return [`Options that were ignored: ${[...this.names].join(', ')}${more}.`];
  }
}

/** The fields of a response that carry the warning; none without one. */
export function warningField({ text }: Warnings): { readonly warning?: string } {
  return text === null ? {} : { warning: text };
}
