import { McpServer } from '@modelcontextprotocol/server';
import { trawlOpener, type TrawlAccess } from './calls/open-trawl.js';
import { CallRunner } from './calls/run-call.js';
import { KeptCopies } from './text/kept-copies.js';
import { WEB_CONTENT_NOTE, WebContentMark } from './text/web-content.js';
import { TOOLS } from './tools/all-tools.js';

/** Of the arguments of one call; a schema of extract has the most. */
const MAX_INPUT_ELEMENTS = 5_000;

const INSTRUCTIONS = `Trawl reads the web: single pages (scrape), the URLs of a site (map), whole sites (crawl), web search (search), fields of pages (extract), document files such as PDF, DOCX and XLSX (parse), companies (enrich).
Answers are cut at maxTokens; a cut answer says how to continue.
${WEB_CONTENT_NOTE}`;

export interface ToolServerOptions {
  /** Called at the first call of a tool, and again while it fails. */
  readonly findAccess: () => TrawlAccess;
  /** Writes a line for the operator; never to standard output. */
  readonly log: (message: string) => void;
  /** For tests. @default the global fetch */
  readonly send?: (url: string, init: RequestInit) => Promise<Response>;
}

/** The calls of one process; its connections share them. */
export function openToolCalls({ log, send, findAccess }: ToolServerOptions): CallRunner {
  return new CallRunner({
    connect: trawlOpener(findAccess, send),
    copies: new KeptCopies(),
    mark: new WebContentMark(),
    log,
  });
}

/** The tool server of one connection. */
export function createToolServer(calls: CallRunner, version: string): McpServer {
  const server = new McpServer(
    { name: 'trawl', title: 'Trawl', version },
    {
      capabilities: { tools: { listChanged: false } },
      instructions: INSTRUCTIONS,
      maxToolInputElements: MAX_INPUT_ELEMENTS,
    },
  );
  for (const tool of TOOLS) tool.register(server, calls);
  return server;
}
