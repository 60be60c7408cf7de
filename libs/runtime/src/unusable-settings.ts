import { access, constants } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { SETTINGS, type Settings } from '@app/config';

/** A setting that names something which does not work. `problem` has no secret of it. */
export interface UnusableSetting {
  readonly env: string;
  readonly problem: string;
}

type App = 'api' | 'fetcher' | 'tech-scan';

/**
 * Settings that name a server or a file, and the app that uses it. Database, broker and storage are not among them:
 * they have health checks of their own.
 */
export const NAMED_TARGETS = {
  browserWsUrl: 'fetcher',
  hostedCrawlerUrl: 'fetcher',
  llmBaseUrl: 'fetcher',
  searchHtml: 'fetcher',
  searchSearxngUrl: 'fetcher',
  searchSerp: 'fetcher',
  scraperListings: 'fetcher',
  scraperMaps: 'fetcher',
  scraperReviews: 'fetcher',
  unblockHttp: 'fetcher',
  connectorsDir: 'api',
  payPerCallFacilitatorUrl: 'api',
  smtpUrl: 'api',
  techFingerprintsPath: 'tech-scan',
  otlpEndpoint: null,
} as const satisfies Partial<Record<keyof Settings, App | null>>;

const CONNECT_MS = 3_000;
const PORTS: Readonly<Record<string, number>> = {
  ...{ 'http:': 80, 'ws:': 80, 'https:': 443, 'wss:': 443, 'smtp:': 587, 'smtps:': 465 },
};

/**
 * Tries once what the settings of a process name: whether a server accepts connections, and whether a file or folder
 * can be read. A server that is down now may come up later, so this only reports.
 * @param component an app, or another name for the settings of all of them
 */
export async function unusableSettings(
  settings: Settings,
  component: string,
  connectMs = CONNECT_MS,
): Promise<readonly UnusableSetting[]> {
  const apps: readonly string[] = ['api', 'fetcher', 'tech-scan'];
  const names = Object.entries(NAMED_TARGETS).flatMap(([name, app]) =>
    app === null || app === component || !apps.includes(component) ? [name as keyof Settings] : [],
  );
  const tried = names.map(async (name) => {
    const { env } = SETTINGS[name];
    const problems = await Promise.all(
      targetsIn(String(settings[name] ?? '')).map((target) => problemOf(target, connectMs)),
    );
    return problems.flatMap((problem) => (problem === null ? [] : [{ env, problem }]));
  });
  return (await Promise.all(tried)).flat();
}

/** The setting itself, or each `url` of the JSON that it is. */
function targetsIn(value: string): readonly string[] {
  if (value === '') return [];
  if (!/^\s*[[{]/.test(value)) return [value];
  const parsed: unknown = JSON.parse(value);
  return (Array.isArray(parsed) ? parsed : [parsed]).flatMap((one: { url?: unknown } | null) =>
    typeof one?.url === 'string' ? [one.url.replace(/[{}]/g, '')] : [],
  );
}

async function problemOf(target: string, connectMs: number): Promise<string | null> {
  if (!URL.canParse(target) || path.isAbsolute(target)) return unreadable(target);
  const { protocol, hostname, port } = new URL(target);
  const host = hostname.replace(/^\[|\]$/g, '');
  return unreachable(host, Number(port) || (PORTS[protocol] ?? 0), connectMs);
}

async function unreadable(file: string): Promise<string | null> {
  try {
    await access(file, constants.R_OK);
    return null;
  } catch (error) {
    return `${path.resolve(file)} cannot be read (${codeOf(error)}): correct the path, or its permissions`;
  }
}

function unreachable(host: string, port: number, connectMs: number): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (reason: string | null): void => {
      socket.destroy();
      const text = `${host}:${port} accepts no connection (${reason}): check the address, and that its server runs`;
      resolve(reason === null ? null : text);
    };
    socket.setTimeout(connectMs, () => end(`no answer in ${connectMs} ms`));
    socket.once('connect', () => end(null));
    socket.once('error', (error) => end(codeOf(error)));
  });
}

function codeOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
}
