import { MAX_FILE_CHARS, MAX_LINK_URL_CHARS } from '../limits.js';

/** What the addresses of a file's links may hold together: a file can name one that it keeps once as often as it likes. */
export class AddressRoom {
  private chars = MAX_FILE_CHARS;

  /** What the rest of the file links to is left out for it. */
  get cut(): 'max_chars' | undefined {
    return this.chars > 0 ? undefined : 'max_chars';
  }

  /** Whether an address may be written once more; the text that is linked stays. */
  takes(address: string): boolean {
    if (address.length > MAX_LINK_URL_CHARS || this.cut) return false;
    this.chars -= address.length;
    return true;
  }
}
