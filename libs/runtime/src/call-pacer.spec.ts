import { CallPacer } from './call-pacer.js';

const BUSY = 1;
const IDLE = 0;
const STAY = new AbortController().signal;
const paid = (tenantId: string) => ({ tenantId, isFree: false });
const free = (tenantId: string) => ({ tenantId, isFree: true });
type Owner = ReturnType<typeof paid>;

describe('calls while the event loop is busy', () => {
  let loopShare: number;
  let pacer: CallPacer;
  let begun: string[];
  beforeEach(() => {
    jest.useFakeTimers();
    loopShare = BUSY;
    begun = [];
    pacer = new CallPacer({ loopShare: () => loopShare, longestMs: 60_000 });
  });
  afterEach(() => {
    pacer.close();
    jest.useRealTimers();
  });

  const begin = async (owner: Owner, name = owner.tenantId, signal = STAY) => {
    const end = await pacer.begin(owner, signal);
    begun.push(name);
    return end;
  };
  const severalPolls = () => jest.advanceTimersByTimeAsync(100);

  it('begin at once when no other tenant is active, however many there are', async () => {
    for (let n = 0; n < 5; n++) await begin(paid('a'));
    expect(begun).toHaveLength(5);
  });

  it('begin at once when every tenant sends several at a time', async () => {
    await begin(paid('a'));
    await begin(paid('a'));
    void begin(paid('b'));
    void begin(paid('b'));
    await severalPolls();
    expect(begun).toHaveLength(4);
  });

  it('of one that sends several at a time wait beside one that does not, until the loop has time', async () => {
    await begin(paid('calm'));
    await begin(paid('a'));
    void begin(paid('a'), 'a again');
    await severalPolls();
    expect(begun).toEqual(['calm', 'a']);
    loopShare = IDLE;
    await severalPolls();
    expect(begun).toHaveLength(3);
  });

  it('of one that sends them one after the other never wait', async () => {
    await begin(paid('other'));
    for (let n = 0; n < 5; n++) (await begin(paid('calm')))();
    expect(begun).toHaveLength(6);
  });

  it('of the free plan are those of one tenant', async () => {
    await begin(paid('calm'));
    await begin(free('f1'));
    void begin(free('f2'));
    await severalPolls();
    expect(begun).toEqual(['calm', 'f1']);
  });

  it('do not wait for a caller that disconnected', async () => {
    const gone = new AbortController();
    await begin(paid('calm'));
    await begin(paid('a'));
    const left = begin(paid('a'), 'gone', gone.signal);
    gone.abort();
    await left;
  });

  it('wait 500 ms at the longest', async () => {
    pacer.close();
    pacer = new CallPacer({ loopShare: () => loopShare });
    await begin(paid('calm'));
    await begin(paid('a'));
    void begin(paid('a'), 'a again');
    await jest.advanceTimersByTimeAsync(499);
    expect(begun).toEqual(['calm', 'a']);
    await jest.advanceTimersByTimeAsync(21);
    expect(begun).toEqual(['calm', 'a', 'a again']);
  });
});
