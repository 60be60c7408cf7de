import {
  DEFAULT_OVERLAP_SECONDS,
  issueKey,
  KeyLimitError,
  listApiKeys,
  MAX_OVERLAP_SECONDS,
  recordAdminAct,
  revokeKey,
  rotateKey,
  type ApiKey,
} from '@app/accounts';
import { AdminProblem } from './admin-problem.js';
import type { AdminContext, Command, Input, Report } from './command.js';
import { accountOf, keyNamed } from './find-account.js';
import { wholeNumber } from './parse-command.js';
import { fieldsText, tableText } from './table-text.js';
import { parsePlainText } from './tenant-commands.js';

export const KEY_COMMANDS = {
  'key create': {
    args: ['tenant'],
    options: ['label'],
    help: 'creates a key and shows it, only this once (--label)',
    run: createKeyFor,
  },
  'key list': {
    args: ['tenant'],
    options: [],
    help: 'lists the keys of a tenant, without their secrets',
    run: listKeysOf,
  },
  'key revoke': {
    args: ['key'],
    options: [],
    help: 'revokes a key at once, by id or by its full text',
    run: revokeNamed,
  },
  'key rotate': {
    args: ['key'],
    options: ['overlap-seconds'],
    help: `creates a key that replaces another (--overlap-seconds, default ${DEFAULT_OVERLAP_SECONDS})`,
    run: rotateNamed,
  },
} as const satisfies Record<string, Command>;

async function createKeyFor(
  { database, actor }: AdminContext,
  { args, options }: Input,
): Promise<Report> {
  const { id: tenantId } = await accountOf(database, args[0] ?? '');
  const label = parsePlainText(options.label ?? 'created by an operator', 'label');
  const { key, record } = await withinLimit(
    database.transaction(async (tx) => {
      const issued = await issueKey(tx, { tenantId, label, origin: 'admin' });
      const details = { keyId: issued.record.id, label };
      await recordAdminAct(tx, { actor, act: 'key.create', tenantId, details });
      return issued;
    }),
  );
  return {
    value: { apiKey: key, tenantId, ...record },
    text: `${keyText(record)}\n${shownOnce(key)}`,
  };
}

async function listKeysOf({ database }: AdminContext, { args }: Input): Promise<Report> {
  const { id } = await accountOf(database, args[0] ?? '');
  const keys = await listApiKeys(database, id);
  const rows = keys.map((key) => [
    key.id,
    key.prefix,
    key.label,
    key.origin,
    key.createdAt,
    key.lastUsedAt,
    key.expiresAt,
    key.revokedAt,
  ]);
  const headings = ['id', 'key', 'label', 'origin', 'created', 'last used', 'expires', 'revoked'];
  return { value: keys, text: tableText(headings, rows) };
}

async function revokeNamed({ database, actor }: AdminContext, { args }: Input): Promise<Report> {
  const which = await keyNamed(database, args[0] ?? '');
  const record = await database.transaction(async (tx) => {
    const revoked = await revokeKey(tx, which);
    const { tenantId, keyId } = which;
    await recordAdminAct(tx, { actor, act: 'key.revoke', tenantId, details: { keyId } });
    return revoked;
  });
  if (!record) throw new AdminProblem('the key was deleted');
  return { value: record, text: keyText(record) };
}

async function rotateNamed(
  { database, actor }: AdminContext,
  { args, options }: Input,
): Promise<Report> {
  const bounds = { name: '--overlap-seconds', min: 0, max: MAX_OVERLAP_SECONDS };
  const overlap = options['overlap-seconds'] ?? String(DEFAULT_OVERLAP_SECONDS);
  const overlapSeconds = wholeNumber(overlap, bounds);
  const which = await keyNamed(database, args[0] ?? '');
  const rotated = await withinLimit(
    database.transaction(async (tx) => {
      const made = await rotateKey(tx, { ...which, overlapSeconds, origin: 'admin' });
      if (!made) throw new AdminProblem('this key is revoked or expired: create a new one');
      const { tenantId, keyId } = which;
      const details = { keyId, overlapSeconds, newKeyId: made.record.id };
      await recordAdminAct(tx, { actor, act: 'key.rotate', tenantId, details });
      return made;
    }),
  );
  const { key, record, previousExpiresAt } = rotated;
  const replaces = { id: which.keyId, expiresAt: previousExpiresAt };
  const text = `${keyText(record)}\nThe old key works until ${previousExpiresAt.toISOString()}.\n${shownOnce(key)}`;
  return { value: { apiKey: key, tenantId: which.tenantId, ...record, replaces }, text };
}

async function withinLimit<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    if (cause instanceof KeyLimitError) throw new AdminProblem(cause.message, { cause });
    throw cause;
  }
}

function keyText({ id, prefix, label, origin, createdAt, expiresAt, revokedAt }: ApiKey): string {
  return fieldsText({
    id,
    key: prefix,
    label,
    origin,
    created: createdAt,
    expires: expiresAt,
    revoked: revokedAt,
  });
}

function shownOnce(key: string): string {
  return `\nThe key, shown only once:\n\n  ${key}\n`;
}
