import type { Server, ServerResponse } from 'node:http';

/** Requests being answered; reports when there are none. */
export class OpenRequests {
  private open = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(server: Server) {
    server.on('request', (_request, response: ServerResponse) => {
      this.open++;
      // After the last byte, or when the client disconnects.
      response.once('close', () => {
        this.open--;
        if (this.open === 0) for (const resolve of this.waiting.splice(0)) resolve();
      });
    });
  }

  /** Resolves when no request is being answered, after `boundMs` at the latest. */
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
