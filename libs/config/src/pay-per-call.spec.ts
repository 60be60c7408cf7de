import { loadSettings, SettingsError, payPerCallTerms } from './load-settings.js';

const ALL = {
  PAY_PER_CALL_PRICE: '1000',
  PAY_PER_CALL_NETWORK: 'eip155:84532',
  PAY_PER_CALL_ASSET: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
  PAY_PER_CALL_PAY_TO: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
  PAY_PER_CALL_FACILITATOR_URL: 'https://pay.example/x402/',
};

function problemsOf(env: Readonly<Record<string, string>>): readonly string[] {
  try {
    loadSettings(env);
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
}

describe('the settings of pay-per-call', () => {
  it('are off by default', () => {
    expect(payPerCallTerms(loadSettings({}))).toBeNull();
  });

  it('make an offer', () => {
    const extra = '{"name":"USDC","version":"2"}';
    expect(payPerCallTerms(loadSettings({ ...ALL, PAY_PER_CALL_EXTRA: extra }))).toEqual({
      unitsPerCredit: 1_000n,
      network: 'eip155:84532',
      asset: ALL.PAY_PER_CALL_ASSET,
      payTo: ALL.PAY_PER_CALL_PAY_TO,
      extra: { name: 'USDC', version: '2' },
      facilitatorUrl: 'https://pay.example/x402',
      facilitatorToken: '',
      requestsPerMinute: 60,
    });
  });

  it.each(Object.keys(ALL))('do not start without %s when the others are set', (name) => {
    const env = Object.fromEntries(Object.entries(ALL).filter(([one]) => one !== name));
    expect(problemsOf(env)).toEqual([
      `${name}: is not set, though other settings of pay-per-call are.`,
    ]);
  });

  it.each([
    ['PAY_PER_CALL_PRICE', '0'],
    ['PAY_PER_CALL_PRICE', '0.001'],
    ['PAY_PER_CALL_PRICE', '-5'],
    ['PAY_PER_CALL_PRICE', '1e3'],
    ['PAY_PER_CALL_NETWORK', 'base'],
    ['PAY_PER_CALL_NETWORK', 'eip155:'],
    ['PAY_PER_CALL_ASSET', 'a b'],
    ['PAY_PER_CALL_PAY_TO', '<script>'],
    ['PAY_PER_CALL_EXTRA', '[1]'],
    ['PAY_PER_CALL_EXTRA', '{"name":'],
    ['PAY_PER_CALL_EXTRA', JSON.stringify({ name: 'x'.repeat(1_000) })],
    ['PAY_PER_CALL_FACILITATOR_URL', 'ftp://pay.example'],
    ['PAY_PER_CALL_FACILITATOR_URL', 'https://user:secret@pay.example'],
    ['PAY_PER_CALL_FACILITATOR_URL', 'https://pay.example/?key=1'],
    ['PAY_PER_CALL_REQUESTS_PER_MINUTE', '0'],
  ])('refuse %s=%s by name', (name, value) => {
    const problems = problemsOf({ ...ALL, [name]: value });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(name);
  });
});
