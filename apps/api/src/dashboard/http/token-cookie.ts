import type { FastifyReply, FastifyRequest } from 'fastify';

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Whether a value has the format of a session token: 256 bits in base64url. */
export function isToken(value: unknown): value is string {
  return typeof value === 'string' && TOKEN.test(value);
}

/** The value of a cookie; null if it is missing. */
export function cookieNamed({ headers }: FastifyRequest, wanted: string): string | null {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [name = '', value = ''] = pair.trim().split('=');
    if (name === wanted) return value;
  }
  return null;
}

/**
 * The cookie of a session, or of a browser that asked for a link. If the service is reached by https, its name has the prefix that browsers accept
 * only from this host, encrypted and for all its paths (RFC 6265bis, 4.1.3).
 */
export class TokenCookie {
  private readonly name: string;
  private readonly attributes: string;

  constructor(name: 'session' | 'link', isHttps: boolean) {
    this.name = `${isHttps ? '__Host-' : ''}trawl_${name}`;
    this.attributes = `Path=/; HttpOnly; SameSite=Strict${isHttps ? '; Secure' : ''}`;
  }

  /** Null if it is missing or malformed. */
  read(request: FastifyRequest): string | null {
    const value = cookieNamed(request, this.name);
    return isToken(value) ? value : null;
  }

  /** Kept until the browser is closed, but never longer than the session lives. */
  set(reply: FastifyReply, token: string): void {
    void reply.header('set-cookie', `${this.name}=${token}; ${this.attributes}`);
  }

  clear(reply: FastifyReply): void {
    void reply.header('set-cookie', `${this.name}=; Max-Age=0; ${this.attributes}`);
  }
}
