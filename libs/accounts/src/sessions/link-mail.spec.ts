import type { LinkedAccount } from './sign-in-links.js';
import { linkMails } from './link-sender.js';

const URL_OF_OURS = 'https://trawl.example';

const account = (n: number, email = 'Person@example.com'): LinkedAccount => ({
  tenantId: `018f0000-0000-7000-8000-00000000000${n}`,
  plan: 'free',
  createdAt: new Date('2026-03-01T12:00:00Z'),
  email,
  token: String(n).repeat(43),
});
const linksIn = (text: string): readonly string[] => text.match(/https:\/\/\S+\?token=\S+/g) ?? [];

describe('the mail with links', () => {
  it('is not sent when no account has the address', () => {
    expect(linkMails(URL_OF_OURS, { accounts: [], hasMore: false })).toEqual([]);
  });

  it('has the link of the one account, and explains what to do with an unexpected mail', () => {
    const [mail, ...others] = linkMails(URL_OF_OURS, { accounts: [account(1)], hasMore: false });
    expect(others).toEqual([]);
    expect(mail?.to).toBe('Person@example.com');
    expect(linksIn(mail?.text ?? '')).toEqual([
      `https://trawl.example/dashboard/sign-in/link?token=${'1'.repeat(43)}`,
    ]);
    expect(mail?.text).toContain('works once, for 10 minutes');
    expect(mail?.text).toContain('If you did not request it, ignore this mail');
    expect(mail?.text).not.toContain('Further accounts');
  });

  it('is one for all accounts of the address, and distinguishes them', () => {
    const accounts = [account(1), account(2), account(3)];
    const mails = linkMails(URL_OF_OURS, { accounts, hasMore: true });
    expect(mails).toHaveLength(1);
    const [{ text } = { text: '' }] = mails;
    expect(linksIn(text)).toHaveLength(3);
    for (const { tenantId } of accounts)
      expect(text).toContain(`Account ${tenantId} (plan free, since 2026-03-01)`);
    expect(text).toContain('Further accounts');
  });

  it('is sent to each spelling separately, with the accounts of that spelling', () => {
    const accounts = [account(1, 'a@b.example'), account(2, 'A@b.example')];
    const mails = linkMails(URL_OF_OURS, { accounts, hasMore: false });
    expect(mails.map(({ to, text }) => [to, linksIn(text).length])).toEqual([
      ['a@b.example', 1],
      ['A@b.example', 1],
    ]);
  });

  it.each(['https://trawl.example/', 'https://trawl.example/base', 'https://trawl.example/base/'])(
    'leads to where clients reach us: %s',
    (publicUrl) => {
      const [mail] = linkMails(publicUrl, { accounts: [account(1)], hasMore: false });
      const [link = ''] = linksIn(mail?.text ?? '');
      expect(link).toMatch(
        /^https:\/\/trawl\.example(\/base)?\/dashboard\/sign-in\/link\?token=1{43}$/,
      );
    },
  );
});
