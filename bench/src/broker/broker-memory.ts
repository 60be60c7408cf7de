import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { readProcFile } from '@app/processes';

const run = promisify(execFile);

/** Where packages put it; the one in /usr/sbin wants to become another user. */
const PROGRAMS = [
  '/usr/lib/rabbitmq/bin/rabbitmqctl',
  '/opt/rabbitmq/sbin/rabbitmqctl',
  '/usr/local/sbin/rabbitmqctl',
];
const ANSWER_WITHIN_MS = 30_000;
/** Settings a node needs to find another: its name, its port mapper, and the home of its cookie. */
const NODE_VARIABLES = /^(?:RABBITMQ_NODENAME|RABBITMQ_CONF_ENV_FILE|ERL_EPMD_\w+|HOME|PATH|LANG)=/;

/** Memory as the broker counts it, bytes. */
export interface BrokerReport {
  /** What the operating system gave it. */
  readonly rssBytes: number;
  /** What its runtime uses of that. */
  readonly usedBytes: number;
  readonly quorumQueueBytes: number;
  /** Tables of messages that the log on disk holds as well. */
  readonly quorumTableBytes: number;
}

/**
 * Resident memory of a process, shared pages shared out, bytes; null when it has ended or belongs to
 * another user.
 */
export function pssBytes(pid: number): number | null {
  const kilobytes = /^Pss:\s+(\d+) kB/m.exec(readProcFile(`/proc/${pid}/smaps_rollup`) ?? '')?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) * 1_024;
}

/**
 * Asks a RabbitMQ node of this machine and this user by `rabbitmqctl`.
 * @param pid its process: its environment says where the node is reached
 * @throws Error when there is no rabbitmqctl, or it gets no answer
 */
export async function readBroker(pid: number): Promise<BrokerReport> {
  const program = PROGRAMS.find((path) => existsSync(path));
  if (program === undefined) throw new Error(`there is no rabbitmqctl at ${PROGRAMS.join(', ')}`);
  const { stdout } = await run(program, ['status', '--formatter', 'json', '--quiet'], {
    env: nodeEnvironment(readProcFile(`/proc/${pid}/environ`) ?? ''),
    timeout: ANSWER_WITHIN_MS,
    maxBuffer: 16 * 1024 * 1024,
  });
  return parseStatus(stdout);
}

/** Of a node's environment (`NAME=value` ended by NUL) what its command line tool needs. */
export function nodeEnvironment(text: string): Record<string, string> {
  const entries = text.split('\0').filter((entry) => NODE_VARIABLES.test(entry));
  return Object.fromEntries(
    entries.map((entry) => [
      entry.slice(0, entry.indexOf('=')),
      entry.slice(entry.indexOf('=') + 1),
    ]),
  );
}

/** @throws SyntaxError for what is no JSON; fields it does not have are 0 */
export function parseStatus(json: string): BrokerReport {
  const { memory } = JSON.parse(json) as { readonly memory?: Readonly<Record<string, unknown>> };
  const total = (memory?.total ?? {}) as Readonly<Record<string, unknown>>;
  return {
    rssBytes: bytes(total.rss),
    usedBytes: bytes(total.erlang),
    quorumQueueBytes: bytes(memory?.quorum_queue_procs),
    quorumTableBytes: bytes(memory?.quorum_ets),
  };
}

function bytes(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
