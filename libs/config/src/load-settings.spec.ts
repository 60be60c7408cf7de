import {
  loadSettings,
  requireSettings,
  SettingsError,
  programEnvironment,
  removedSettings,
  REMOVED_SETTINGS,
} from './load-settings.js';
import { SETTING_GROUPS, SETTINGS, SETTING_NAMES } from './settings.js';

const problemsOf = (env: Record<string, string>): readonly string[] => {
  try {
    loadSettings(env);
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
};

describe('loadSettings', () => {
  it('returns every default for an empty environment, frozen', () => {
    const settings = loadSettings({});
    expect(settings).toMatchObject({ port: 3000, host: '127.0.0.1', hostWindowStart: 2 });
    expect(settings.databaseUrl).toBeUndefined();
    expect(Object.isFrozen(settings)).toBe(true);
  });

  it('treats an empty variable as one that is not set', () => {
    expect(loadSettings({ PORT: '' }).port).toBe(3000);
  });

  it('names every bad setting at once, each with its rule and meaning', () => {
    const problems = problemsOf({ PORT: '70000', LOG_LEVEL: 'loud', DATABASE_URL: 'mysql://x' });
    expect(problems).toHaveLength(3);
    expect(problems.join('\n')).toMatch(/PORT: "70000" must be a whole number from 0 to 65535/);
    expect(problems.join('\n')).toMatch(/LOG_LEVEL: "loud" must be one of/);
  });

  it('does not repeat a secret', () => {
    expect(problemsOf({ DATABASE_URL: 'mysql://user:hunter2@x' }).join()).not.toContain('hunter2');
  });

  it.each([
    ['PORT', '0', '65535', '65536'],
    ['LEASE_MS', '2000', '30000', '30001'],
    ['CRAWL_MAX_PAGES', '1', '100000000', '100000001'],
  ])('%s accepts %s and %s and refuses %s', (name, low, high, over) => {
    expect(problemsOf({ [name]: low })).toEqual([]);
    expect(problemsOf({ [name]: high })).toEqual([]);
    expect(problemsOf({ [name]: over })).toHaveLength(1);
  });

  it('takes a list of queues, each once', () => {
    expect(loadSettings({ FETCHER_QUEUES: 'crawl, scrape' }).fetcherQueues).toEqual([
      'crawl',
      'scrape',
    ]);
    for (const value of ['crawls', 'crawl,crawl', 'tech-scan'])
      expect(problemsOf({ FETCHER_QUEUES: value })).toHaveLength(1);
  });

  it('refuses a fraction, text and a sign for a number', () => {
    for (const value of ['1.5', 'ten', '-1']) expect(problemsOf({ PORT: value })).toHaveLength(1);
  });
});

describe('requireSettings', () => {
  it('names the missing variables', () => {
    expect(() => requireSettings(loadSettings({}), ['databaseUrl', 'brokerUrl'])).toThrow(
      /DATABASE_URL: is not set[\s\S]*BROKER_URL: is not set/,
    );
  });
});

describe('the table of settings', () => {
  it('has one variable per setting, in capitals, each with a meaning', () => {
    expect(new Set(SETTING_NAMES).size).toBe(SETTING_NAMES.length);
    for (const { env, meaning } of Object.values(SETTINGS)) {
      expect(env).toMatch(/^[A-Z][A-Z0-9_]+$/);
      expect(meaning).toMatch(/\.$/);
    }
  });

  it('has every setting in one group of the documentation', () => {
    const grouped = Object.values(SETTING_GROUPS).flatMap((group) => Object.entries(group));
    expect(grouped).toHaveLength(SETTING_NAMES.length);
    expect(Object.fromEntries(grouped)).toEqual(SETTINGS);
  });

  it('accepts its own defaults', () => {
    for (const { env, fallback, parse } of Object.values(SETTINGS)) {
      if (fallback === undefined || fallback === '') continue;
      expect([env, parse(String(fallback))]).toEqual([env, fallback]);
    }
  });
});

describe('removed settings', () => {
  it('are named with what to do when they are still set', () => {
    const env = { MAP_CONCURRENCY: '4', CONTENT_CPU_MS: '', LEASE_MS: '3000' };
    expect(removedSettings(env)).toEqual(['MAP_CONCURRENCY: set CALL_CONCURRENCY instead']);
    expect(removedSettings({})).toEqual([]);
  });

  it('are no settings, and name only settings that exist', () => {
    expect(Object.keys(REMOVED_SETTINGS).filter((one) => SETTING_NAMES.includes(one))).toEqual([]);
    const named = Object.values(REMOVED_SETTINGS).flatMap(
      (text) => text.match(/\b[A-Z]{3,}\w+/g) ?? [],
    );
    expect(named.filter((one) => !SETTING_NAMES.includes(one))).toEqual([]);
  });
});

it('passes on variables that programs need, and no setting', () => {
  const env = { PATH: '/bin', TMPDIR: '', DATABASE_URL: 'postgres://a:b@c/d', NODE_OPTIONS: '-x' };
  expect(programEnvironment(env)).toEqual({ PATH: '/bin' });
});
