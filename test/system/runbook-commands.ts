import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { createLogger } from '@app/telemetry';
import { projectNode, projectRoot } from '@app/testing';

/** A shell block of docs/runbook.md, with the heading it is under. */
export interface RunbookBlock {
  readonly heading: string;
  readonly script: string;
}

export function runbookBlocks(): readonly RunbookBlock[] {
  const text = readFileSync(path.join(projectRoot(), 'docs/runbook.md'), 'utf8');
  return text.split(/^#+ /m).flatMap((part) => {
    const heading = part.split('\n')[0] ?? '';
    return [...part.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, script = '']) => ({
      heading,
      script,
    }));
  });
}

/** The lines of a block that begin with one of these programs. */
export const commandsOf = ({ script }: RunbookBlock, ...programs: readonly string[]): string[] =>
  script.split('\n').filter((line) => programs.includes(line.split(' ')[0] ?? ''));

/**
 * Programs that a test machine may lack. Each notes its arguments. `logs` prints the file LOG, `exec … -- command` runs
 * the command in the project's folder, and so does `npm run`.
 */
const STAND_IN = `#!/bin/sh
program=$(basename "$0")
{ printf '%s' "$program"; printf '\\037%s' "$@"; printf '\\036'; } >> "$NOTES"
case "$program $*" in
  kubectl*' logs '* | docker*' logs '*) cat "$LOG" ;;
  kubectl*' exec '*) while [ "$1" != -- ]; do shift; done; shift; cd "$PROJECT" && exec "$@" ;;
  'npm run '*) PATH=$REAL_PATH; cd "$PROJECT" && exec npm "$@" ;;
esac
`;
const STOOD_IN = ['kubectl', 'docker', 'psql', 'npm', 'git'];

/** Runs blocks as pasted, in a folder, with {@link STOOD_IN} programs. */
export class RunbookShell {
  private readonly notes: string;
  private readonly path: string;

  constructor(
    private readonly folder: string,
    private readonly env: Readonly<Record<string, string>>,
  ) {
    const programs = path.join(folder, 'programs');
    mkdirSync(programs);
    for (const name of STOOD_IN) {
      writeFileSync(path.join(programs, name), STAND_IN);
      chmodSync(path.join(programs, name), 0o755);
    }
    this.notes = path.join(folder, 'notes');
    const node = path.dirname(projectNode());
    this.path = [programs, node, process.env['PATH'] ?? ''].join(path.delimiter);
    writeFileSync(path.join(folder, 'trawl.log'), logOfAllMessages());
  }

  /** What a script prints. @throws with its output when its last command fails */
  async run(script: string): Promise<string> {
    const env = {
      ...{ PATH: this.path, REAL_PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' },
      ...{ NOTES: this.notes, PROJECT: projectRoot(), LOG: path.join(this.folder, 'trawl.log') },
      ...this.env,
    };
    const options = { env, cwd: this.folder, maxBuffer: 16 * 1024 ** 2 };
    const { stdout } = await promisify(execFile)('bash', ['-c', script], options);
    return stdout;
  }

  /** Arguments of the calls of a stood-in program so far. */
  callsOf(program: string): readonly (readonly string[])[] {
    return readFileSync(this.notes, 'utf8')
      .split('\u001e')
      .map((call) => call.split('\u001f'))
      .filter(([name]) => name === program)
      .map(([, ...args]) => args);
  }
}

/** One line of the real logger for each message that the sources log, and one of a full disk. */
function logOfAllMessages(): string {
  const lines: string[] = [];
  const log = createLogger(
    { level: 'trace', component: 'api' },
    { write: (line) => lines.push(line) },
  );
  for (const [level, message] of messagesOfSources()) log[level](message);
  log.error(
    { err: new Error('could not extend file: No space left on device') },
    'a statement failed',
  );
  return lines.join('');
}

type Level = 'info' | 'warn' | 'error';

function messagesOfSources(): readonly (readonly [Level, string])[] {
  const files = ['apps', 'libs'].flatMap((folder) =>
    readdirSync(path.join(projectRoot(), folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !/(?:spec|\.d)\.ts$/.test(name))
      .map((name) => path.join(projectRoot(), folder, name)),
  );
  return files.flatMap((file) =>
    [
      ...readFileSync(file, 'utf8').matchAll(
        /\blog\.(info|warn|error)\(\s*(?:\{[^}]*\},\s*)?['`]([^'`]+)['`]/g,
      ),
    ].map(([, level, message = '']) => [level as Level, message] as const),
  );
}
