import { readdirSync, readFileSync } from 'node:fs';
import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { until } from './until.js';

export interface SpawnedOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** Added to this process's environment; undefined removes a name. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** How it is called in failures. */
  readonly name: string;
  /** Opens Node's channel, and its end shows an app that its parent is gone. @default false */
  readonly withChannel?: boolean;
  /** Lines kept of its output, oldest dropped first. @default 20000 */
  readonly maxLines?: number;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export type LogLine = Readonly<Record<string, unknown>>;

const TAIL_LINES = 40;
const DRAIN_MS = 200;

/**
 * A child process whose output is kept and waited for; an unexpected end fails the waiter.
 */
export class SpawnedProcess {
  /** Resolves, never rejects, when the process has ended. */
  readonly exited: Promise<Exit>;
  private readonly lines: string[] = [];
  private exit: Exit | null = null;

  private constructor(
    private readonly child: ChildProcess,
    private readonly options: SpawnedOptions,
  ) {
    this.exited = new Promise((resolve) => {
      const end = (code: number | null, signal: NodeJS.Signals | null): void => {
        this.exit = { code, signal };
        resolve(this.exit);
      };
      child.once('exit', (code, signal) => {
        // Its last words may still be in the pipe; a grandchild may hold the pipe open for ever.
        const drained = setTimeout(() => end(code, signal), DRAIN_MS);
        child.once('close', () => {
          clearTimeout(drained);
          end(code, signal);
        });
      });
      child.once('error', (error) => {
        this.keep(`spawn failed: ${error.message}`);
        if (child.pid === undefined) end(null, null);
      });
    });
    for (const stream of [child.stdout, child.stderr]) {
      if (stream) createInterface({ input: stream }).on('line', (line) => this.keep(line));
    }
  }

  static spawn(options: SpawnedOptions): SpawnedProcess {
    const child = spawn(options.command, options.args, {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdio: ['pipe', 'pipe', 'pipe', ...(options.withChannel ? ['ipc' as const] : [])],
    });
    // Writing to a process that has just ended is reported by `exited`.
    child.stdin?.on('error', () => {});
    return new SpawnedProcess(child, options);
  }

  get pid(): number {
    if (this.child.pid === undefined) throw this.failure('did not start');
    return this.child.pid;
  }

  get hasExited(): boolean {
    return this.exit !== null;
  }

  get output(): readonly string[] {
    return this.lines;
  }

  /** Its lines that are JSON objects, oldest first; filtered. */
  log(predicate: (line: LogLine) => boolean = () => true): readonly LogLine[] {
    return this.lines
      .map(parseLogLine)
      .filter((line) => line !== null && predicate(line)) as LogLine[];
  }

  /**
   * The first line that matches, kept or to come. Rejects with the output's tail when it ends
   * first.
   */
  waitForLine(pattern: RegExp, timeoutMs = 60_000): Promise<string> {
    return this.waitFor(
      () => this.lines.find((line) => pattern.test(line)),
      String(pattern),
      timeoutMs,
    );
  }

  /** The first JSON line that matches, kept or to come; else as `waitForLine`. */
  waitForLog(
    predicate: (line: LogLine) => boolean,
    what: string,
    timeoutMs = 60_000,
  ): Promise<LogLine> {
    return this.waitFor(() => this.log(predicate)[0], what, timeoutMs);
  }

  /** Lets this process end while the other one runs. */
  unref(): void {
    const { stdin, stdout, stderr, channel } = this.child;
    this.child.unref();
    channel?.unref();
    for (const pipe of [stdin, stdout, stderr]) if (pipe instanceof Socket) pipe.unref();
  }

  send(line: string): void {
    this.child.stdin?.write(`${line}\n`);
  }

  /** Closes its standard input, as the end of this process would. */
  closeInput(): void {
    this.child.stdin?.end();
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /**
   * Asks it to end and waits; after `graceMs` it is killed and this rejects, since it should have
   * ended.
   */
  async stop(signal: NodeJS.Signals = 'SIGTERM', graceMs = 60_000): Promise<Exit> {
    if (this.exit !== null) return this.exit;
    this.child.kill(signal);
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), graceMs);
    });
    const exit = await Promise.race([this.exited, tooLong]);
    clearTimeout(timer);
    if (exit !== null) return exit;
    const threads = threadsOf(this.pid);
    await this.kill9();
    throw this.failure(`did not end within ${graceMs} ms of ${signal}: ${threads}`);
  }

  /** Ends it the hard way and waits until it is gone. */
  kill9(): Promise<Exit> {
    if (this.exit === null) this.child.kill('SIGKILL');
    return this.exited;
  }

  private async waitFor<T>(find: () => T | undefined, what: string, timeoutMs: number): Promise<T> {
    type Outcome = { found: T } | { ended: Exit };
    const look = (): Outcome | null => {
      const found = find();
      if (found !== undefined) return { found };
      return this.exit === null ? null : { ended: this.exit };
    };
    try {
      const outcome: Outcome = await until(look, {
        timeoutMs,
        what: `${this.options.name}: ${what}`,
      });
      if ('found' in outcome) return outcome.found;
      throw this.failure(`ended (${describeExit(outcome.ended)}) before ${what}`);
    } catch (error) {
      if (error instanceof SpawnedProcessError) throw error;
      throw this.failure(String(error));
    }
  }

  private failure(problem: string): SpawnedProcessError {
    const tail = this.lines.slice(-TAIL_LINES).join('\n') || '(no output)';
    return new SpawnedProcessError(
      `${this.options.name} ${problem}\n--- its last output ---\n${tail}`,
    );
  }

  private keep(line: string): void {
    this.lines.push(line);
    const { maxLines = 20_000 } = this.options;
    if (this.lines.length > maxLines) this.lines.splice(0, this.lines.length - maxLines);
  }
}

/** The process under test misbehaved; the message ends with the tail of its output. */
export class SpawnedProcessError extends Error {
  override readonly name = 'SpawnedProcessError';
}

/** Name, state and place in the kernel of each thread of a process that hangs; Linux only. */
function threadsOf(pid: number): string {
  const folder = `/proc/${pid}/task`;
  try {
    return readdirSync(folder)
      .map((id) => {
        const [, state = '?'] = /State:\s*(\S)/.exec(textAt(`${folder}/${id}/status`)) ?? [];
        return `${textAt(`${folder}/${id}/comm`).trim()} ${state} ${textAt(`${folder}/${id}/wchan`)}`;
      })
      .join(', ');
  } catch {
    // It has ended, or this is no Linux.
    return 'its threads are gone';
  }
}

function textAt(file: string): string {
  return readFileSync(file, 'utf8');
}

function describeExit({ code, signal }: Exit): string {
  return signal === null ? `code ${code}` : signal;
}

function parseLogLine(line: string): LogLine | null {
  if (!line.startsWith('{')) return null;
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    // A line cut by the end of the process, or text that only looks like JSON.
    return null;
  }
}
