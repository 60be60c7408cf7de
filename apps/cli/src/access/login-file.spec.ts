import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { findAccess } from './find-access.js';
import { loginFile, readLogin, writeLogin } from './login-file.js';

const LOGIN = { url: 'http://a.example', apiKey: 'k1' };

describe('the saved login', () => {
  let configHome: string;
  let file: string;

  beforeEach(() => {
    configHome = mkdtempSync(path.join(tmpdir(), 'trawl-config-'));
    file = loginFile(configHome);
  });
  afterEach(() => rmSync(configHome, { recursive: true }));

  it('is private, and replaced as a whole', () => {
    expect(readLogin(file)).toBeUndefined();
    writeLogin(file, { url: 'http://old.example', apiKey: 'old' });
    writeLogin(file, LOGIN);
    expect(readLogin(file)).toEqual(LOGIN);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
  });

  it.each([0o644, 0o640, 0o604, 0o620])('is refused when others may use it: %o', (mode) => {
    writeLogin(file, LOGIN);
    chmodSync(file, mode);
    expect(() => readLogin(file)).toThrow('other users may read it');
  });

  it.each(['', '{', '[]', '{"url":1}'])('is named when it is damaged: %j', (text) => {
    writeLogin(file, LOGIN);
    writeFileSync(file, text);
    expect(() => readLogin(file)).toThrow(file);
  });

  it('is where XDG says, or in ~/.config', () => {
    expect(loginFile('/x')).toBe('/x/trawl/config.json');
    for (const unusable of [undefined, 'relative'])
      expect(loginFile(unusable)).toBe(path.join(homedir(), '.config/trawl/config.json'));
  });

  it('gives way to the environment, which gives way to flags, each value for itself', () => {
    writeLogin(file, LOGIN);
    const none = { url: undefined, apiKey: undefined, configHome };
    const valuesOf = ({ url, apiKey }: ReturnType<typeof findAccess>): unknown => [
      url?.value,
      apiKey?.value,
    ];
    expect(findAccess({}, none)).toEqual({
      url: { value: LOGIN.url, source: file, name: `the address in ${file}` },
      apiKey: { value: LOGIN.apiKey, source: file, name: `the key in ${file}` },
    });
    expect(valuesOf(findAccess({}, { ...none, apiKey: 'env' }))).toEqual([LOGIN.url, 'env']);
    const both = { ...none, url: 'http://env', apiKey: 'env' };
    expect(valuesOf(findAccess({ key: 'flag' }, both))).toEqual(['http://env', 'flag']);
    chmodSync(file, 0o644);
    expect(valuesOf(findAccess({}, both))).toEqual(['http://env', 'env']);
  });
});
