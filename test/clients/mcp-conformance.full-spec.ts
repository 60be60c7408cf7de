import { programEnd } from '../setup/run-program.js';
import { startMcpLoopback, type McpLoopback } from '../system/mcp-loopback.js';
import { INSTALL_MS, npmClients } from './client-driver.js';

/**
 * What applies to a server that offers tools and nothing else. The other scenarios call tools, prompts and resources
 * that the suite prescribes (`test_simple_text` and the like), or capabilities that this server does not declare.
 */
const APPLICABLE = [
  'server-initialize',
  'ping',
  'tools-list',
  'server-sse-multiple-streams',
  'dns-rebinding-protection',
];

describe('@modelcontextprotocol/conformance 0.1.16', () => {
  let loopback: McpLoopback;
  let program: string;

  beforeAll(async () => {
    const packages = await npmClients('mcp-conformance');
    program = `${packages}/node_modules/@modelcontextprotocol/conformance/dist/index.js`;
    loopback = await startMcpLoopback({ url: 'http://127.0.0.1:1', apiKey: 'k' });
  }, INSTALL_MS);
  afterAll(() => loopback?.close());

  const conformance = (...args: readonly string[]) =>
    programEnd([process.execPath, program, ...args], {});

  it('has all scenarios whose names are known here', async () => {
    const { code, out } = await conformance('list', '--server');
    expect(code).toBe(0);
    const names = [...out.matchAll(/^ +- (\S+) \[/gm)].map(([, name]) => name);
    expect(names).toEqual(expect.arrayContaining(APPLICABLE));
    expect(names.length).toBe(32);
  });

  it.each(APPLICABLE)('is passed by the tool server: %s', async (scenario) => {
    const { code, out } = await conformance(
      ...['server', '--url', loopback.url, '--scenario', scenario],
    );
    expect([code, out]).toEqual([0, expect.stringMatching(/Passed: ([1-9]\d*)\/\1, 0 failed, 0 warnings/)]); // prettier-ignore
  });
});
