import type { Server, ServerResponse } from 'node:http';

/** Requests that are being answered; tells when there are none. */
export class OpenRequests {
  private open = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(server: Server) {
    server.on('request', (_request, response: ServerResponse) => {
      this.open++;
      // After the last byte, or when the client is gone.
      response.once('close', () => {
        this.open--;
        if (this.open === 0) for (const resolve of this.waiting.splice(0)) resolve();
      });
    });
  }

  /** Resolves when nothing is being answered, at the latest after `boundMs`. */
  async none(boundMs: number): Promise<void> {
    if (this.open === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, boundMs);
      this.waiting.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}
