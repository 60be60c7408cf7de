import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import {
  pdfOf,
  startFakeSearch,
  startFakeStripe,
  startFixtureSite,
  startWebhookReceiver,
  type FakeStripe,
  type FixtureSite,
  type WebhookReceiver,
} from '@app/testing';
import { isForClients } from '../../apps/api/src/public/documented-operations.js';
import { pathVariable } from '../../apps/api/src/public/operation-example.js';
import { startFakeSources, type FakeSources } from '../../libs/connectors/test/fake-sources.js';
import { deploy, PATIENT_ENV, type Deployment } from './deployment.js';
import { OpenApiDocument, type DocumentedOperation } from './openapi-document.js';
import { ResourceMakers } from './resource-makers.js';

/** A block of a shell, under the heading it is under. */
interface Example {
  readonly heading: string;
  readonly command: string;
}

function examplesIn(text: string): readonly Example[] {
  return text.split(/^#+ /m).flatMap((part) => {
    const heading = part.split('\n')[0] ?? '';
    return [...part.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, command = '']) => ({
      heading,
      command,
    }));
  });
}

/** The `jobId` that POST /v1/pull is shown with. */
const EXAMPLE_JOB = '0192f7a5-4c1e-7b1d-9c55-8e1f6f0f3a10';

const AT_ONCE = 4;

/** Prints the status after each body, of every call that a block makes. */
const COUNTING_CURL = `curl() { command curl -sS --max-time 110 -w '\\n%{http_code} %{content_type}\\n' "$@"; }`;

describe('the examples of the public files', () => {
  let site: FixtureSite;
  let receiver: WebhookReceiver;
  let stripe: FakeStripe;
  let engines: Awaited<ReturnType<typeof startFakeSearch>>;
  let sources: FakeSources;
  let service: Deployment;
  let folder: string;
  let document: OpenApiDocument;
  let makers: ResourceMakers;
  let reference: readonly Example[];
  /** Headings of the examples that were run. */
  const run: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'public-files-'));
    site = await startFixtureSite({ treePages: 0, slowPages: 1_000, slowMs: 500 });
    const pdf = pdfOf(['Annual report of the harbour']);
    await writeFile(path.join(folder, 'report.pdf'), pdf);
    site.serve({
      '/report.pdf': ({ response }) => {
        response.writeHead(200, { 'content-type': 'application/pdf' }).end(pdf);
      },
    });
    receiver = await startWebhookReceiver();
    stripe = await startFakeStripe();
    engines = await startFakeSearch([
      { url: 'https://www.postgresql.org/docs/', title: 'Manual', snippet: 'The manual.' },
    ]);
    sources = await startFakeSources();
    const listed = JSON.stringify([sources.settings.partner]);
    const env = {
      ...PATIENT_ENV,
      ...engines.settings,
      ...{ SCRAPER_MAPS: listed, SCRAPER_REVIEWS: listed, SCRAPER_LISTINGS: listed },
      DRAIN_SECONDS: '1',
      EXAMPLE_URL: site.url('/'),
      STRIPE_SECRET_KEY: stripe.key,
      STRIPE_WEBHOOK_SECRET: 'whsec_public_files',
      STRIPE_PRICES: 'hobby:price_hobby,pro:price_pro,scale:price_scale',
      STRIPE_API_URL: stripe.baseUrl,
    };
    service = await deploy('embedded', { env });
    document = await OpenApiDocument.read(service.url);
    makers = new ResourceMakers({ service, site, receiver });
    reference = examplesIn(await textOf('/llms-full.txt'));
  });
  afterAll(async () => {
    await service?.stop();
    await stripe?.close();
    await engines?.close();
    await sources?.close();
    await receiver?.close();
    await site?.close();
    await rm(folder, { recursive: true });
  });

  const forClients = (): readonly DocumentedOperation[] => document.operations.filter(isForClients);
  const textOf = async (file: string): Promise<string> =>
    (await fetch(`${service.url}${file}`)).text();

  /** What a block prints, in a shell that has only what the text says. */
  async function printed(command: string, ids: Readonly<Record<string, string>> = {}) {
    const script = `set -o pipefail\n${command}`;
    const env = { PATH: process.env['PATH'] ?? '', KEY: service.key, ...ids };
    const options = { env, cwd: folder, maxBuffer: 64 * 1024 * 1024 };
    return (await promisify(execFile)('bash', ['-c', script], options)).stdout;
  }

  async function idsFor({ path: target }: DocumentedOperation): Promise<Record<string, string>> {
    const ids: Record<string, string> = {};
    for (const [, name = ''] of target.matchAll(/\{(\w+)\}/g)) {
      const [made] = (await makers.forPath(target, name)) ?? [];
      if (!made) throw new Error(`${target}: no maker for {${name}}`);
      ids[pathVariable(target, name)] = made.id;
    }
    return ids;
  }

  /** Runs the example of an operation and compares what came with the document. */
  async function runExample(
    operation: DocumentedOperation,
    moreIds: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    const heading = `${operation.method} ${operation.path}`;
    const [example, ...others] = reference.filter((one) => one.heading === heading);
    expect([heading, others]).toEqual([heading, []]);
    const ids = { ...(await idsFor(operation)), ...moreIds };
    // A preview is in the body.
    const [preview] = operation.path === '/v1/pull' ? await makers.pulls() : [];
    const command = (example?.command ?? 'exit 9').replace(EXAMPLE_JOB, preview?.id ?? EXAMPLE_JOB);
    const output = await printed(`${COUNTING_CURL}\n${command}`, ids);
    const [, body = '', status = '', contentType = ''] =
      /^([\s\S]*)\n(\d{3}) (.*)\n$/.exec(output) ?? [];
    expect([heading, status, body.slice(0, 300)]).toEqual([
      heading,
      expect.stringMatching(/^2/),
      expect.any(String),
    ]);
    const answer = { status: Number(status), contentType, text: body };
    expect([heading, document.problems(operation, answer)]).toEqual([heading, []]);
    run.push(heading);
    return body;
  }

  const DELETIONS = ['DELETE /v1/data', 'GET /v1/data/deletions/{id}'];

  // What makes something that another example reads comes first; what cancels, last.
  it.each([
    ['PUT', /^/],
    ['POST', /^\/v1\/[a-e]/],
    ['POST', /^(?!\/v1\/[a-e])/],
    ['GET', /^/],
    ['DELETE', /^/],
  ])(
    'of %s %s run as they are in llms-full.txt, each answering as documented',
    async (wanted, paths) => {
      const operations = forClients().filter(
        ({ method, path: target }) =>
          method === wanted && paths.test(target) && !DELETIONS.includes(`${method} ${target}`),
      );
      // Those of one subject, such as /v1/feeds, one after the other.
      const subjects = Map.groupBy(operations, ({ path: target }) =>
        target.split('/', 3).join('/'),
      );
      const queue = [...subjects.values()];
      const failures: unknown[] = [];
      const runSome = async (): Promise<void> => {
        for (let next = queue.shift(); next !== undefined; next = queue.shift())
          for (const operation of next)
            await runExample(operation).catch((error: unknown) => failures.push(error));
      };
      await Promise.all(Array.from({ length: AT_ONCE }, runSome));
      expect(failures).toEqual([]);
    },
  );

  it('run as they are in the quick start', async () => {
    const examples = examplesIn(await textOf('/agent-onboarding/SKILL.md'));
    expect(examples.length).toBeGreaterThan(6);
    const shown = examples.map(async ({ heading, command }) => {
      const output = await printed(command);
      const answer = JSON.parse(output) as Record<string, unknown>;
      expect([heading, answer['error'], output.length > 20]).toEqual([heading, undefined, true]);
    });
    await Promise.all(shown);
  });

  it('run in the other files too, where there are any', async () => {
    for (const file of ['/agent-onboarding/MANIFEST.md', '/llms.txt'])
      expect(examplesIn(await textOf(file))).toEqual([]);
  });

  // Last: it takes what the others have made.
  it('delete the created data, as shown', async () => {
    const body = await runExample(document.find('DELETE', '/v1/data'));
    const { deletionId } = JSON.parse(body) as { deletionId: string };
    await runExample(document.find('GET', '/v1/data/deletions/{id}'), { DELETION_ID: deletionId });
  });

  it('were all run', () => {
    const shown = reference.map(({ heading }) => heading);
    expect(shown.length).toBe(forClients().length);
    expect(shown.filter((heading) => !run.includes(heading))).toEqual([]);
  });
});
