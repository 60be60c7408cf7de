import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { projectRoot, SpawnedProcess, type LogLine } from '@app/testing';
import { runNode } from '../setup/run-program.js';

const HOME = path.join(projectRoot(), 'test/clients');
/** The first run on a machine installs packages. */
export const INSTALL_MS = 900_000;
/** A crawl by a client that polls every two seconds. */
const CALL_MS = 120_000;

/** The address and the key that a client is set up with. */
export interface ClientTarget {
  readonly url: string;
  readonly key: string;
}

/** An error as a client shows it. */
export interface ClientError {
  readonly name: string;
  readonly message: string;
  readonly status?: number;
  readonly code?: string;
  readonly details?: unknown;
}

/** Path of the packages of `test/clients/packages/<name>`, installed as their lock says. */
export async function npmClients(name: 'firecrawl' | 'mcp-conformance' | 'n8n'): Promise<string> {
  const folder = path.join(HOME, 'packages', name);
  return (await runNode(HOME, 'scripts/npm-packages.mjs', folder)).trim();
}

/** Path of a Python with the packages of `test/clients/python/<name>.txt`. */
export async function pythonClients(name: 'firecrawl' | 'llama-index'): Promise<string> {
  const requirements = path.join(HOME, 'python', `${name}.txt`);
  return (await runNode(HOME, 'scripts/python.mjs', requirements)).trim();
}

/** Variables that every client gets: where the service is, and an empty home folder. */
export function clientEnv({ url, key }: ClientTarget, home: string): Record<string, string> {
  return {
    FIRECRAWL_API_URL: url,
    FIRECRAWL_API_KEY: key,
    HOME: home,
    N8N_USER_FOLDER: home,
    N8N_ENCRYPTION_KEY: 'of a test',
    FIRECRAWL_NO_TELEMETRY: '1',
    FIRECRAWL_NO_UPDATE_CHECK: '1',
    LANGCHAIN_TRACING_V2: 'false',
    PYTHONDONTWRITEBYTECODE: '1',
  };
}

/** A client in a process of its own, which takes calls as lines of JSON and answers each with one. */
export class ClientDriver {
  private lastId = 0;

  private constructor(
    readonly process: SpawnedProcess,
    private readonly home: string,
  ) {}

  /** @param command the program of the driver and its arguments */
  static async start(command: readonly string[], target: ClientTarget): Promise<ClientDriver> {
    const home = await mkdtemp(path.join(tmpdir(), 'trawl-client-'));
    const [program = '', ...args] = command;
    const process = SpawnedProcess.spawn({
      name: path.basename(args[0] ?? program),
      command: program,
      args,
      env: clientEnv(target, home),
      cwd: home,
    });
    const driver = new ClientDriver(process, home);
    await driver.outcomeOf(0);
    return driver;
  }

  /** The result of a call; rejects with the client's error. */
  async call<T>(request: Readonly<Record<string, unknown>>): Promise<T> {
    const { result, error } = await this.send(request);
    if (error !== undefined) throw new Error(`the client failed: ${JSON.stringify(error)}`);
    return result as T;
  }

  /** The error of a call that must fail. */
  async errorOf(request: Readonly<Record<string, unknown>>): Promise<ClientError> {
    const { result, error } = await this.send(request);
    if (error === undefined) throw new Error(`the client succeeded: ${JSON.stringify(result)}`);
    return error as ClientError;
  }

  async stop(): Promise<void> {
    // Its input is at its end: a driver that is not in a call ends by itself.
    this.process.closeInput();
    await this.process.kill9();
    await rm(this.home, { recursive: true, force: true });
  }

  private async send(request: Readonly<Record<string, unknown>>): Promise<LogLine> {
    const id = ++this.lastId;
    this.process.send(JSON.stringify({ id, args: [], ...request }));
    return this.outcomeOf(id);
  }

  private outcomeOf(id: number): Promise<LogLine> {
    return this.process.waitForLog((line) => line['id'] === id, `outcome ${id}`, CALL_MS);
  }
}
