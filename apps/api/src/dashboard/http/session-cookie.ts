import type { FastifyReply, FastifyRequest } from 'fastify';

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Whether a value has the form of the store's tokens: 256 bits in base64url. */
export function isToken(value: unknown): value is string {
  return typeof value === 'string' && TOKEN.test(value);
}

/** The value of a cookie; null when there is none of the name. */
export function cookieNamed({ headers }: FastifyRequest, wanted: string): string | null {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [name = '', value = ''] = pair.trim().split('=');
    if (name === wanted) return value;
  }
  return null;
}

/**
 * The cookie that carries a session. Where the service is reached by https it has the prefix that
 * browsers accept from nobody but this very host, encrypted, for all its paths (RFC 6265bis, 4.1.3).
 */
export class SessionCookie {
  private readonly name: string;
  private readonly attributes: string;

  constructor(isHttps: boolean) {
    this.name = isHttps ? '__Host-trawl_session' : 'trawl_session';
    this.attributes = `Path=/; HttpOnly; SameSite=Strict${isHttps ? '; Secure' : ''}`;
  }

  /** Null when there is none, or what there is cannot be ours. */
  read(request: FastifyRequest): string | null {
    const value = cookieNamed(request, this.name);
    return isToken(value) ? value : null;
  }

  /** For as long as the browser is open, and never longer than the session lives. */
  set(reply: FastifyReply, token: string): void {
    void reply.header('set-cookie', `${this.name}=${token}; ${this.attributes}`);
  }

  clear(reply: FastifyReply): void {
    void reply.header('set-cookie', `${this.name}=; Max-Age=0; ${this.attributes}`);
  }
}
