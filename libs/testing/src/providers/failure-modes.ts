import type { ServerResponse } from 'node:http';

/** Refusals with this status. */
const STATUS_MODES = [
  '401',
  '402',
  '403',
  '404',
  '408',
  '422',
  '429',
  '500',
  '503',
  '504',
] as const;
type StatusMode = (typeof STATUS_MODES)[number];

/** Ways in which a third party's API goes wrong, by name. */
export const FAILURE_MODES = [
  ...STATUS_MODES,
  'redirect',
  'slow',
  'hang',
  'hang_body',
  'reset',
  'not_http',
  'garbage_json',
  'html_error',
  'empty',
  'truncated',
  'wrong_type',
  'huge',
  'echo_key',
] as const;
export type FailureMode = (typeof FAILURE_MODES)[number];

/** Retry-After of the modes `429` and `503`, seconds. */
export const RETRY_AFTER_SECONDS = 1;
/** Bytes the mode `huge` would send if it were let. */
export const HUGE_BYTES = 200 * 1_048_576;

export function isFailureMode(text: string): text is FailureMode {
  return FAILURE_MODES.some((mode) => mode === text);
}

function isStatusMode(mode: FailureMode): mode is StatusMode {
  return STATUS_MODES.some((status) => status === mode);
}

export interface FailureContext {
  readonly mode: FailureMode;
  /** What the request authenticated itself with. */
  readonly presentedKey: string;
  /** For `slow`. */
  readonly slowMs: number;
  /** Text of an error answer with this status. */
  readonly errorBody: (status: number) => string;
  /** The good answer, for modes that spoil or delay it. */
  readonly good: () => Promise<{ readonly contentType: string; readonly body: string }>;
}

/** Answers in the given way; `slow` answers well, but late. */
export async function answerBadly(
  response: ServerResponse,
  context: FailureContext,
): Promise<void> {
  const { mode } = context;
  if (isStatusMode(mode)) return sendStatus(response, Number(mode), context);
  switch (mode) {
    case 'redirect':
      return void response.writeHead(302, { location: 'http://127.0.0.1:9/elsewhere' }).end();
    case 'slow':
      return sendLate(response, context);
    case 'hang':
      return;
    case 'hang_body':
      return void response.writeHead(200, { 'content-type': 'application/json' }).write('{"su');
    case 'reset':
      return void response.socket?.resetAndDestroy();
    case 'not_http':
      return void response.socket?.end('SSH-2.0-none\r\n');
    case 'garbage_json':
      return send(response, 200, 'application/json', '{"success": tru');
    case 'html_error':
      return send(response, 200, 'text/html', '<html><body><h1>Bad gateway</h1></body></html>');
    case 'empty':
      return send(response, 200, 'application/json', '');
    case 'truncated':
      return sendHalf(response, await context.good());
    case 'wrong_type':
      return send(response, 200, 'image/png', '\u0089PNG\r\n');
    case 'huge':
      return sendHuge(response);
    case 'echo_key':
      return send(response, 200, 'text/html', `<p>invalid api key ${context.presentedKey}</p>`);
  }
}

function sendStatus(response: ServerResponse, status: number, { errorBody }: FailureContext): void {
  const isLater = status === 429 || status === 503;
  if (isLater) response.setHeader('retry-after', String(RETRY_AFTER_SECONDS));
  send(response, status, 'application/json', errorBody(status));
}

function send(response: ServerResponse, status: number, contentType: string, body: string): void {
  response.writeHead(status, { 'content-type': contentType });
  response.end(body);
}

async function sendLate(response: ServerResponse, { slowMs, good }: FailureContext): Promise<void> {
  const { contentType, body } = await good();
  const timer = setTimeout(() => send(response, 200, contentType, body), slowMs);
  response.once('close', () => clearTimeout(timer));
}

/** The length of the whole is announced, then the connection ends in the middle. */
function sendHalf(
  response: ServerResponse,
  { contentType, body }: { readonly contentType: string; readonly body: string },
): void {
  const bytes = Buffer.from(body);
  response.writeHead(200, { 'content-type': contentType, 'content-length': bytes.byteLength });
  response.write(bytes.subarray(0, Math.floor(bytes.byteLength / 2)), () =>
    response.socket?.destroySoon(),
  );
}

function sendHuge(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const chunk = Buffer.alloc(65_536, ' ');
  let sent = 0;
  const more = () => {
    while (!response.destroyed && sent < HUGE_BYTES) {
      sent += chunk.byteLength;
      if (!response.write(chunk)) return void response.once('drain', more);
    }
    response.end();
  };
  more();
}
