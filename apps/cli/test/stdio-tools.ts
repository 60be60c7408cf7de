import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { usualNodeFlags } from '@app/testing';
import { ToolPeer } from './tool-peer.js';
import { type RpcMessage } from './json-rpc-peer.js';

export interface StdioToolsOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** @default the built program with `mcp` */
  readonly command?: readonly [string, ...string[]];
}

const ROOT = path.resolve(__dirname, '../../..');
const MAIN = path.join(ROOT, 'dist/apps/cli/src/main.js');

/** `trawl mcp` as a process of its own, with a client at its standard input and output. */
export class StdioTools {
  readonly peer: ToolPeer;
  /** Lines of standard output that are no JSON: there must be none. */
  readonly strayLines: string[] = [];
  readonly log: string[] = [];
  /** Code or signal. */
  readonly exited: Promise<number | string | null>;

  private constructor(readonly child: ChildProcess) {
    this.peer = new ToolPeer((message) => this.write(`${JSON.stringify(message)}\n`));
    this.exited = once(child, 'close').then(
      ([code, signal]) => (code ?? signal) as number | string,
    );
    child.stdin?.on('error', () => undefined);
    if (child.stdout)
      createInterface({ input: child.stdout }).on('line', (line) => this.receive(line));
    if (child.stderr)
      createInterface({ input: child.stderr }).on('line', (line) => this.log.push(line));
  }

  static start({ env = {}, command }: StdioToolsOptions = {}): StdioTools {
    const [program, ...args] = command ?? [process.execPath, ...usualNodeFlags(), MAIN, 'mcp'];
    const inherited = { PATH: process.env['PATH'], XDG_CONFIG_HOME: '/nonexistent' };
    const child = spawn(program, args, { cwd: ROOT, env: { ...inherited, ...env } });
    return new StdioTools(child);
  }

  write(text: string | Buffer): void {
    this.child.stdin?.write(text);
  }

  /** Closes its standard input, as a host does that ends. */
  closeInput(): void {
    this.child.stdin?.end();
  }

  async stop(): Promise<void> {
    this.closeInput();
    await this.exited;
  }

  private receive(line: string): void {
    try {
      this.peer.receive(JSON.parse(line) as RpcMessage);
    } catch {
      this.strayLines.push(line);
    }
  }
}
