import { UsageProblem } from './admin-problem.js';
import { parseCommand, wholeNumber, type CommandShape } from './parse-command.js';
import { runAdmin, type AdminConsole } from './run-admin.js';
import { fieldsText, tableText } from './table-text.js';

const TABLE: Record<string, CommandShape> = {
  'tenant create': { args: ['name'], options: ['plan'] },
  acts: { args: [], options: ['limit'] },
};

describe('a command line', () => {
  it('is a command with its arguments and options, in any order', () => {
    const line = parseCommand(['--plan', 'pro', 'tenant', 'create', 'A b', '--json'], TABLE);
    expect(line).toEqual({
      name: 'tenant create',
      args: ['A b'],
      options: { plan: 'pro' },
      actor: undefined,
      isJson: true,
    });
    expect(parseCommand(['acts', '--actor', 'me'], TABLE)).toMatchObject({ actor: 'me', args: [] });
  });

  it.each([[[]], [['--help']], [['-h']], [['help']], [['tenant', 'create', '--help']]])(
    'reads %j as a request for help',
    (argv) => {
      expect(parseCommand(argv, TABLE)).toBe('help');
    },
  );

  it.each<[string[], string]>([
    [['tenant'], 'unknown command: "tenant"'],
    [['tenant', 'drop'], 'unknown command: "tenant" "drop"'],
    [['tenant', 'create'], 'tenant create: <name> is missing'],
    [['tenant', 'create', 'a', 'b'], 'tenant create: what is "b"?'],
    [['acts', '--plan', 'pro'], 'acts takes no --plan'],
    [['acts', '--colour', 'red'], "Unknown option '--colour'"],
    [['acts', '--limit'], 'argument missing'],
    [['constructor'], 'unknown command'],
  ])('refuses %j', (argv, message) => {
    expect(() => parseCommand(argv, TABLE)).toThrow(UsageProblem);
    expect(() => parseCommand(argv, TABLE)).toThrow(message);
  });

  it.each(['-1', '1.5', '1e3', '', '11', 'x'])('rejects %j as a number from 0 to 10', (text) => {
    expect(() => wholeNumber(text, { name: '--n', min: 0, max: 10 })).toThrow(
      '--n must be a whole number from 0 to 10',
    );
  });
});

describe('npm run admin', () => {
  const said = { out: '', err: '' };
  const adminConsole: AdminConsole = {
    open: () => Promise.reject(new Error('must not be opened')),
    actor: 'spec',
    write: (text) => void (said.out += text),
    complain: (text) => void (said.err += text),
  };
  beforeEach(() => Object.assign(said, { out: '', err: '' }));

  it('shows its commands without a database', async () => {
    expect(await runAdmin(['help'], adminConsole)).toBe(0);
    for (const name of [
      'tenant create <name>',
      'plan set <tenant> <plan>',
      'key rotate <key>',
      'acts',
    ])
      expect(said.out).toContain(`  ${name} `);
  });

  it('exits with 2 for an invalid command line, and with 1 if the command fails', async () => {
    expect(await runAdmin(['key', 'burn'], adminConsole)).toBe(2);
    expect(said.err).toContain('npm run admin -- help');
    expect(await runAdmin(['tenant', 'list'], adminConsole)).toBe(1);
    expect(said.out).toBe('');
  });
});

describe('a table for a terminal', () => {
  it('is aligned, and strips control characters from its cells', () => {
    const text = tableText(
      ['id', 'name'],
      [
        ['1', 'a\u001b[2Jb'],
        ['22', null],
      ],
    );
    expect(text).toBe('id  name\n1   a\ufffd[2Jb\n22  –');
    expect(fieldsText({ a: 1, bc: new Date(0) })).toBe('a   1\nbc  1970-01-01T00:00:00.000Z');
    expect(tableText(['id'], [])).toBe('none');
  });
});
