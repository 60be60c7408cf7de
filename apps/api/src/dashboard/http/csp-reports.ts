import type { FastifyInstance } from 'fastify';
import type { Logger } from '@app/telemetry';
import { LinesPerMinute } from '../../http/lines-per-minute.js';
import { REPORT_PATH } from './security-headers.js';

const MAX_REPORT_BYTES = 16_384;
/** Any client may send reports: reports beyond this number are counted, not logged. */
const LOGGED_PER_MINUTE = 30;
const MAX_FIELD_CHARS = 300;

/** Logs what a browser blocked on our pages: either the page has a bug, or an attacker tried something. */
export function takeCspReports(scope: FastifyInstance, log: Logger): void {
  const lines = new LinesPerMinute(LOGGED_PER_MINUTE);
  void scope.register(async (reports) => {
    reports.addContentTypeParser(
      ['application/csp-report', 'application/reports+json'],
      { parseAs: 'string', bodyLimit: MAX_REPORT_BYTES },
      (_request, body, done) => done(null, body),
    );
    reports.post(REPORT_PATH, async (request, reply) => {
      for (const report of reportsIn(String(request.body))) write(report, lines, log);
      return reply.status(204).send();
    });
  });
}

export interface CspReport {
  readonly directive: string;
  readonly blocked: string;
  readonly page: string;
}

function write(report: CspReport, lines: LinesPerMinute, log: Logger): void {
  const turn = lines.next();
  if (turn === null) return;
  if (turn.left > 0) log.warn({ left: turn.left }, 'content security reports were dropped');
  log.warn({ csp: report }, 'content security policy violated');
}

/** Both formats that browsers send: one report (CSP 2), or a list (Reporting API). */
export function reportsIn(text: string): CspReport[] {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    // Not sent for a page of this service.
    return [];
  }
  const entries = Array.isArray(body) ? body.slice(0, LOGGED_PER_MINUTE) : [body];
  return entries.flatMap((entry) => {
    const { 'csp-report': old, body: modern } = record(entry);
    const fields = record(old ?? modern);
    const directive = field(fields, 'effective-directive', 'effectiveDirective');
    if (directive === '') return [];
    return [
      {
        directive,
        blocked: field(fields, 'blocked-uri', 'blockedURL'),
        page: pathOf(field(fields, 'document-uri', 'documentURL')),
      },
    ];
  });
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function field(fields: Readonly<Record<string, unknown>>, ...names: readonly string[]): string {
  const text = names.map((name) => fields[name]).find((value) => typeof value === 'string');
  return typeof text === 'string' ? text.slice(0, MAX_FIELD_CHARS) : '';
}

/** Queries may contain private data. */
function pathOf(address: string): string {
  return URL.canParse(address) ? new URL(address).pathname : '';
}
