import { MailError, type Mail } from '@app/providers';
import type { Statement, Database } from '@app/database';
import { until } from '@app/testing';
import { LinkSender } from './link-sender.js';

const ADDRESS = 'person@example.com';

/** A database with one account, a scripted mail server, and a log. */
class Stage {
  readonly mails: Mail[] = [];
  readonly warnings: unknown[] = [];
  asked = 0;
  atOnce = 0;
  mostAtOnce = 0;
  isClosed = false;
  answer: () => Promise<void> = async () => undefined;

  readonly sender = new LinkSender({
    publicUrl: 'https://trawl.example',
    database: this.database(),
    log: { warn: (...words: unknown[]) => void this.warnings.push(words) } as never,
    sender: {
      sendMail: async (mail) => {
        this.mostAtOnce = Math.max(this.mostAtOnce, ++this.atOnce);
        try {
          await this.answer();
          this.mails.push(mail);
        } finally {
          this.atOnce--;
        }
      },
      close: async () => {
        this.isClosed = true;
      },
    },
  });

  private database(): Database {
    const query = async ({ name }: Statement, [email]: readonly unknown[] = []) => {
      if (name !== 'find_tenants_by_email') throw new Error(`no answer to ${name}`);
      this.asked++;
      if (email !== ADDRESS) return [];
      const tenantId = '018f0000-0000-7000-8000-000000000001';
      return [{ tenantId, plan: 'free', createdAt: new Date(0), email }];
    };
    const rows = () => ({ insert: async () => undefined });
    return { query, rows } as unknown as Database;
  }
}

describe('links that are sent after the response', () => {
  it('are sent to a known address, and not to an unknown one', async () => {
    const stage = new Stage();
    stage.sender.send({ email: ADDRESS, browser: null });
    stage.sender.send({ email: 'unknown@example.com', browser: null });
    await stage.sender.close();
    expect(stage.asked).toBe(2);
    expect(stage.mails.map(({ to }) => to)).toEqual([ADDRESS]);
    expect(stage.warnings).toEqual([]);
  });

  it('are sent few at a time, all of them', async () => {
    const stage = new Stage();
    for (let n = 0; n < 20; n++) stage.sender.send({ email: ADDRESS, browser: null });
    await stage.sender.close();
    expect(stage.mails).toHaveLength(20);
    expect(stage.mostAtOnce).toBe(2);
  });

  it('that fail are logged without the address, and delay no other', async () => {
    const stage = new Stage();
    stage.answer = async () => {
      stage.answer = async () => undefined;
      throw new MailError('failed', 'no answer');
    };
    stage.sender.send({ email: ADDRESS, browser: null });
    await until(() => stage.warnings.length === 1);
    stage.sender.send({ email: ADDRESS, browser: null });
    await stage.sender.close();
    expect(stage.mails).toHaveLength(1);
    expect(JSON.stringify(stage.warnings)).not.toContain(ADDRESS);
  });

  it('wait in a bounded queue', async () => {
    const stage = new Stage();
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    stage.answer = () => gate;
    for (let n = 0; n < 300; n++) stage.sender.send({ email: ADDRESS, browser: null });
    expect(stage.warnings).toHaveLength(98);
    release();
    await stage.sender.close();
    expect(stage.mails).toHaveLength(202);
  });

  it('are refused by a process that stops, which closes the mail connection', async () => {
    const stage = new Stage();
    await stage.sender.close();
    stage.sender.send({ email: ADDRESS, browser: null });
    expect(stage.isClosed).toBe(true);
    expect([stage.asked, stage.warnings.length]).toEqual([0, 1]);
  });
});
