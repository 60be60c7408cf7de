import { cpuCost, growthOf, LINEAR_GROWTH } from '@app/testing';
import { readFile } from '../files/read-file.js';

const HEAD = 'From: a\nMIME-Version: 1.0\nDate: x\nSubject: s\n\na\n';

/** Mailboxes that would be slow for a reader that looks back or copies again. */
const MAILBOXES: Readonly<Record<string, string>> = {
  mails: `\nFrom a\n${HEAD}`,
  'lines that nearly part mails': '\nFrom a\n\n',
  'escaped lines': '\n>>>>From a\n',
};

describe('mailboxes', () => {
  it.each(Object.entries(MAILBOXES))('of %s: read in linear time', async (_, part) => {
    const cost = cpuCost(
      (n) => Buffer.from(`From a\n${HEAD}${part.repeat(n)}`),
      async (bytes) => expect(await readFile(bytes)).toMatchObject({ ok: true }),
    );
    expect(await growthOf(cost, { from: 5_000, upTo: 100_000 })).toBeLessThan(LINEAR_GROWTH);
  });
});
