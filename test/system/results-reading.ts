import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';

/** An answer whose body is not read until it is requested: a reader as slow as the test wants. */
export async function openAnswer(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<IncomingMessage> {
  const sent = request(url, { headers, agent: false });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response;
}

/** The whole body; rejects when the connection breaks off before its end. */
export async function readBody(response: IncomingMessage): Promise<Buffer> {
  return Buffer.concat((await response.toArray()) as Buffer[]);
}

/** One event of a stream of Server-Sent Events (WHATWG HTML, 9.2.6). */
export interface ServerEvent {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: unknown;
}

/** Events as they come; fields and comments outside of events are given to `onOther`. */
export async function* eventsOf(
  response: AsyncIterable<Buffer>,
  onOther: (line: string) => void = () => undefined,
): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of response) {
    const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = parseEvent(block);
      if (event) yield event;
      else block.split('\n').forEach(onOther);
    }
  }
}

function parseEvent(block: string): ServerEvent | null {
  const fields = new Map(
    block.split('\n').map((line) => {
      const at = line.indexOf(': ');
      return [line.slice(0, at), line.slice(at + 2)] as const;
    }),
  );
  const event = fields.get('event');
  if (event === undefined) return null;
  return { event, id: fields.get('id'), data: JSON.parse(fields.get('data') ?? 'null') };
}
