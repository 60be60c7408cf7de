import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Health } from './health.js';
import type { Metrics } from './metrics.js';

/** Metrics and health of a process, on a separate port that no ingress reaches. */
export class OpsServer {
  private readonly server: Server;

  constructor(
    private readonly metrics: Metrics,
    private readonly health: Health,
  ) {
    metrics.onCollect(async () => {
      for (const { name, ok } of (await health.readiness()).dependencies)
        metrics.dependencyUp.set({ dependency: name }, ok ? 1 : 0);
    });
    this.server = createServer((request, response) => {
      this.answer(request.url ?? '/', response).catch((error: Error) => {
        if (!response.headersSent) sendJson(response, 500, { error: error.message });
        else response.destroy();
      });
    });
  }

  /** Returns the address it listens on. */
  async listen(host: string, port: number): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, host, () => resolve());
    });
    const address = this.server.address() as AddressInfo;
    return `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(url: string, response: ServerResponse): Promise<void> {
    const path = url.split('?')[0];
    if (path === '/metrics') return this.sendMetrics(response);
    if (path === '/health/live') return sendJson(response, 200, { status: 'live' });
    if (path === '/health/ready') return this.sendReadiness(response, url.includes('verbose'));
    sendJson(response, 404, { error: 'Not found' });
  }

  private async sendMetrics(response: ServerResponse): Promise<void> {
    const text = await this.metrics.text();
    response.writeHead(200, { 'content-type': this.metrics.registry.contentType }).end(text);
  }

  private async sendReadiness(response: ServerResponse, verbose: boolean): Promise<void> {
    const readiness = await this.health.readiness();
    sendJson(response, readiness.ready ? 200 : 503, {
      ...readinessBody(readiness, verbose),
      ...(verbose ? { dependencies: readiness.dependencies } : {}),
    });
  }
}

/**
 * Body of `/health/ready` on the public port: dependencies and fixes on request, but not their error messages,
 * which may contain addresses. The metrics port shows those too.
 */
export function readinessBody(
  readiness: Awaited<ReturnType<Health['readiness']>>,
  verbose: boolean,
): object {
  const status = readiness.ready ? 'ready' : readiness.draining ? 'draining' : 'not ready';
  if (!verbose) return { status };
  const dependencies = readiness.dependencies.map(({ problem: _kept, ...shown }) => shown);
  return { status, dependencies };
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
