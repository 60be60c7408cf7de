import { LoggedMail } from './logged-mail.js';
import type { Mail } from './mail-sender.js';

const MAIL: Mail = { to: 'someone@example.com', subject: 'Hello', text: 'a text' };

describe('mail that is written down', () => {
  it('is passed on unchanged', async () => {
    const written: Mail[] = [];
    await new LoggedMail((mail) => written.push(mail)).sendMail(MAIL);
    expect(written).toEqual([MAIL]);
  });

  it('is as strict about addresses as mail that is sent', async () => {
    const written: Mail[] = [];
    const sender = new LoggedMail((mail) => written.push(mail));
    const to = 'a@b.example\r\nBcc: c@d.example';
    await expect(sender.sendMail({ ...MAIL, to })).rejects.toThrow('not a single plain address');
    expect(written).toEqual([]);
  });
});
