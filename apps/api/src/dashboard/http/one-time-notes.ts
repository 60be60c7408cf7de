import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SignedOut } from './page-error.js';
import { cookieNamed } from './token-cookie.js';
import { signedInOf } from './signed-in.js';

/** The page is requested right after its form; a note that waits longer belongs to an abandoned page. */
const LIFE_SECONDS = 60;
/** Browsers store cookies of up to 4,096 bytes, including name and attributes (RFC 6265, 6.1). */
const MAX_SEALED_CHARS = 3_800;
const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Texts by name. */
export type Note = Readonly<Record<string, string>>;

export interface NotePlace {
  /** The page that shows the note: the browser sends the cookie only there. */
  readonly path: string;
  /** @default 60 */
  readonly lifeSeconds?: number;
}

/**
 * Data that the page after a form shows once: a new key, or why nothing was done. It is stored in a cookie that only the
 * server can decrypt for this session, so the server stores nothing. The page removes it: a reload shows the page without
 * it.
 */
export class OneTimeNotes {
  private readonly name: string;
  private readonly attributes: string;

  constructor(
    isHttps: boolean,
    private readonly tokenOf: (request: FastifyRequest) => string | null = tokenSignedIn,
  ) {
    this.name = isHttps ? '__Secure-trawl_note' : 'trawl_note';
    this.attributes = `HttpOnly; SameSite=Strict${isHttps ? '; Secure' : ''}`;
  }

  /** @throws Error if the note is too large for a cookie */
  leave(reply: FastifyReply, { path, lifeSeconds = LIFE_SECONDS }: NotePlace, note: Note): void {
    const token = this.tokenOf(reply.request);
    if (token === null) throw new SignedOut();
    const expiresAtMs = Date.now() + lifeSeconds * 1_000;
    const sealed = seal(token, path, JSON.stringify({ expiresAtMs, note }));
    if (sealed.length > MAX_SEALED_CHARS) throw new Error('a note is too large for its cookie');
    this.set(reply, path, `${sealed}; Max-Age=${lifeSeconds}`);
  }

  /** Returns and removes the note for this page; null if there is none. */
  take(request: FastifyRequest, reply: FastifyReply, path: string): Note | null {
    const note = this.read(request, path);
    if (cookieNamed(request, this.name) !== null) this.set(reply, path, '; Max-Age=0');
    return note;
  }

  /** The same, without removing it. */
  read(request: FastifyRequest, path: string): Note | null {
    const token = this.tokenOf(request);
    const sealed = cookieNamed(request, this.name);
    if (token === null || sealed === null || sealed.length > MAX_SEALED_CHARS) return null;
    const text = open(token, path, sealed);
    return text === null ? null : noteIn(text);
  }

  private set(reply: FastifyReply, path: string, value: string): void {
    void reply.header('set-cookie', `${this.name}=${value}; Path=${path}; ${this.attributes}`);
  }
}

function tokenSignedIn(request: FastifyRequest): string | null {
  return signedInOf(request)?.token ?? null;
}

function keyOf(token: string): Buffer {
  return Buffer.from(hkdfSync('sha256', token, '', 'one-time note', KEY_BYTES));
}

function seal(token: string, path: string, text: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, keyOf(token), iv).setAAD(Buffer.from(path));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

function open(token: string, path: string, sealed: string): string | null {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.length <= IV_BYTES + TAG_BYTES) return null;
  try {
    const decipher = createDecipheriv(ALGORITHM, keyOf(token), bytes.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(path));
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    const text = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    // Of another session or page, or forged: treated as missing.
    return null;
  }
}

/** Encrypted by this service, maybe by another version. */
function noteIn(text: string): Note | null {
  const value: unknown = JSON.parse(text);
  if (!isRecord(value) || !isRecord(value['note'])) return null;
  const { expiresAtMs, note } = value;
  if (typeof expiresAtMs !== 'number' || expiresAtMs < Date.now()) return null;
  return Object.fromEntries(
    Object.entries(note).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
