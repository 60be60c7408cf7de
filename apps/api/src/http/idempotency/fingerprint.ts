import { createHash, type Hash } from 'node:crypto';
import { Readable } from 'node:stream';

/** The order and spacing of fields do not change a JSON body. */
export function jsonFingerprint(target: RequestTarget, body: unknown): Buffer {
  const hash = targetHash(target);
  writeCanonical(hash, body);
  return hash.digest();
}

/** The target of a request. */
export interface RequestTarget {
  readonly method: string;
  /** Request target: path and query. */
  readonly url: string;
}

function targetHash({ method, url }: RequestTarget): Hash {
  const [path = '', query = ''] = url.split(/\?(.*)/s);
  // The router treats both spellings as one.
  const trimmed = path.replace(/(?<!\/)\/+$/, '');
  return createHash('sha256').update(`${method}\n${trimmed}\n${query}\n`);
}

/** Recursion is bounded: bodies nested deeper than 100 levels are rejected before they are parsed. */
function writeCanonical(hash: Hash, value: unknown): void {
  if (Array.isArray(value)) {
    hash.update('[');
    for (const item of value) writeItem(hash, item);
    hash.update(']');
  } else if (typeof value === 'object' && value !== null) {
    hash.update('{');
    for (const [name, field] of Object.entries(value).sort(byName)) {
      hash.update(`${JSON.stringify(name)}:`);
      writeItem(hash, field);
    }
    hash.update('}');
  } else {
    // undefined: a request without a body.
    hash.update(value === undefined ? '' : JSON.stringify(value));
  }
}

function writeItem(hash: Hash, value: unknown): void {
  writeCanonical(hash, value);
  hash.update(',');
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/**
 * Fingerprint of a form, computed as it streams in: the bytes of its parts, in any order. Every
 * request chooses its own boundary, and file names have no meaning here, so neither is included.
 */
export class FormDigest {
  private readonly parts: string[] = [];

  constructor(private readonly target: RequestTarget) {}

  field(name: string, value: string): void {
    this.add(`field ${name}`, createHash('sha256').update(value));
  }

  /** The file, to read instead of the given stream; it is included once it was read to its end. */
  file(name: string, stream: Readable): Readable {
    const hash = createHash('sha256');
    const add = (): void => this.add(`file ${name}`, hash);
    async function* counted(): AsyncGenerator<Uint8Array> {
      for await (const chunk of stream as AsyncIterable<Uint8Array>) {
        hash.update(chunk);
        yield chunk;
      }
      add();
    }
    return Readable.from(counted(), { objectMode: false });
  }

  fingerprint(): Buffer {
    const hash = targetHash(this.target);
    for (const part of this.parts.toSorted()) hash.update(part);
    return hash.digest();
  }

  private add(what: string, hash: Hash): void {
    this.parts.push(`${JSON.stringify(what)} ${hash.digest('hex')}\n`);
  }
}
