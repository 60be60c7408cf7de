import { generateKeyPairSync } from 'node:crypto';
import { loadSettings, SettingsError } from './load-settings.js';

const KEYS = generateKeyPairSync('ed25519')
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();
const SECRET = KEYS.split('\n')[1]?.slice(22) ?? '';

const problemsOf = (env: Readonly<Record<string, string>>): readonly string[] => {
  try {
    loadSettings(env);
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
};

describe('the settings of signed requests', () => {
  it('are off by default, and complete with a key and an address', () => {
    expect(loadSettings({}).webBotAuthKeys).toBe('');
    const env = { WEB_BOT_AUTH_KEYS: KEYS, WEB_BOT_AUTH_URL: 'https://bot.example.com' };
    expect(loadSettings(env)).toMatchObject({
      webBotAuthKeys: KEYS,
      webBotAuthUrl: 'https://bot.example.com',
      webBotAuthFormat: 'dictionary',
    });
    expect(problemsOf({ WEB_BOT_AUTH_KEYS: KEYS, PUBLIC_URL: 'https://api.example.com' })).toEqual(
      [],
    );
    expect(problemsOf({ WEB_BOT_AUTH_URL: 'https://bot.example.com/' })).toEqual([]);
  });

  it.each<[string, Readonly<Record<string, string>>, RegExp]>([
    ['no address', {}, /^WEB_BOT_AUTH_URL: is not set, though WEB_BOT_AUTH_KEYS is\./],
    ['http', { WEB_BOT_AUTH_URL: 'http://bot.example' }, /^WEB_BOT_AUTH_URL: must be https/],
    ['a PUBLIC_URL of http', { PUBLIC_URL: 'http://bot.example' }, /^PUBLIC_URL: must be https/],
  ])('stop the start with a key and %s', (_name, env, problem) => {
    expect(problemsOf({ WEB_BOT_AUTH_KEYS: KEYS, ...env })).toEqual([
      expect.stringMatching(problem),
    ]);
  });

  it.each([
    ['a key that is cut', KEYS.slice(0, -40)],
    ['two keys that are one', KEYS + KEYS],
    ['its Base64 alone', KEYS.split('\n')[1] ?? ''],
  ])('do not repeat %s', (_name, keys) => {
    expect(SECRET.length).toBeGreaterThan(40);
    const [problem = '', ...others] = problemsOf({ WEB_BOT_AUTH_KEYS: keys });
    expect(problem).toMatch(/^WEB_BOT_AUTH_KEYS: the given value must /);
    expect(problem).not.toContain(SECRET.slice(0, 8));
    expect(others).toEqual([]);
  });
});
