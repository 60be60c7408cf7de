import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { TEST_CA, TEST_CERT, TEST_KEY } from '../../../../libs/egress/test/tls-fixture.js';
import { DeletionCost } from './deletion-cost.js';

interface Seen {
  readonly line: string;
  readonly type: string | undefined;
  readonly token: string | undefined;
  readonly body: unknown;
}

describe('the deletion cost of a pod', () => {
  let accountFolder: string;
  let server: Server;
  let status: number;
  let seen: Seen[];
  let inFlight: number;
  let cost: DeletionCost;
  beforeEach(async () => {
    accountFolder = mkdtempSync(path.join(tmpdir(), 'trawl-account-'));
    const files = { token: 'secret\n', 'ca.crt': TEST_CA, namespace: 'web\n' };
    for (const [name, text] of Object.entries(files))
      writeFileSync(path.join(accountFolder, name), text);
    [status, seen, inFlight] = [200, [], 3];
    server = createServer({ key: TEST_KEY, cert: TEST_CERT }, (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { authorization, 'content-type': type } = request.headers;
        const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
        seen.push({ line: `${request.method} ${request.url}`, type, token: authorization, body });
        response.writeHead(status).end('{}');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    cost = new DeletionCost({
      inFlight: () => inFlight,
      server: { host: '127.0.0.1', port },
      accountFolder,
      pod: 'fetcher-1',
    });
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    rmSync(accountFolder, { recursive: true });
  });

  it('is the number of its tasks, written with the account of the pod', async () => {
    await cost.round();
    expect(seen).toEqual([
      {
        line: 'PATCH /api/v1/namespaces/web/pods/fetcher-1',
        type: 'application/merge-patch+json',
        token: 'Bearer secret',
        body: { metadata: { annotations: { 'controller.kubernetes.io/pod-deletion-cost': '3' } } },
      },
    ]);
  });

  it('is written again only when it changed', async () => {
    await cost.round();
    await cost.round();
    expect(seen).toHaveLength(1);
    inFlight = 0;
    await cost.round();
    expect(seen).toHaveLength(2);
  });

  it('is written again after a refusal, which names the status', async () => {
    status = 403;
    await expect(cost.round()).rejects.toThrow('the API server of Kubernetes answered 403');
    status = 200;
    await cost.round();
    expect(seen).toHaveLength(2);
  });

  it('is sent to no server whose certificate the authority of the cluster did not sign', async () => {
    writeFileSync(path.join(accountFolder, 'ca.crt'), '');
    await expect(cost.round()).rejects.toThrow(/certificate/);
    expect(seen).toEqual([]);
  });
});
