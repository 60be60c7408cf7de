import type { CallToolResult } from '@modelcontextprotocol/server';
import type { ToolCall } from '../calls/tool-call.js';
import { CliError } from '../../cli-error.js';
import { cleanWebText } from '../text/clean-web-text.js';
import { cutText } from '../text/cut-text.js';
import type { KeptCopy } from '../text/kept-copies.js';

/** The text that a call produced, before it is cleaned and cut. */
export interface ToolText {
  /** First lines of the answer: facts of the service, nothing from the web. */
  readonly about: string;
  readonly source: string;
  readonly text: string;
}

interface PagingArgs {
  readonly maxTokens: number;
  readonly offset: number;
  readonly copy?: string | undefined;
}

/**
 * The requested piece of the text, marked as content of the web, and how to read on. A reader who continues gets the
 * kept copy; if it is gone, `produce` runs again.
 */
export async function pagedAnswer<Args extends PagingArgs>(
  call: ToolCall,
  args: Args,
  produce: () => Promise<ToolText>,
): Promise<CallToolResult> {
  const key = keyOf(call.tool, args);
  const kept = args.offset > 0 ? call.copies.find(key) : undefined;
  const copy = kept ?? keep(call, key, await produce());
  return present(call, args, copy);
}

/** Calls that differ only in how much they show share a copy. */
function keyOf(tool: string, args: PagingArgs): string {
  const { maxTokens: _m, offset: _o, copy: _c, ...content } = args;
  return JSON.stringify([tool, Object.entries(content).toSorted(([a], [b]) => (a < b ? -1 : 1))]);
}

function keep({ copies }: ToolCall, key: string, { text, ...rest }: ToolText): KeptCopy {
  return copies.keep(key, { ...rest, text: cleanWebText(text) });
}

function present({ tool, mark }: ToolCall, args: PagingArgs, copy: KeptCopy): CallToolResult {
  const { text, source, id } = copy;
  if (args.offset > 0 && args.offset >= text.length) throw pastTheEnd(args.offset, text.length);
  const piece = cutText(text, args.offset, args.maxTokens);
  const isWhole = piece.start === 0 && piece.end === piece.total;
  const about = [
    copy.about,
    changedNote(args, copy),
    isWhole ? '' : `Characters ${piece.start} to ${piece.end} of ${piece.total}.`,
  ];
  const next =
    piece.end < piece.total
      ? `… cut here. To continue, call ${tool} with the same arguments and ${JSON.stringify({ offset: piece.end, copy: id })}.`
      : isWhole
        ? ''
        : 'This is the end of the text.';
  const content = [
    about.filter((line) => line !== '').join('\n'),
    mark.around(piece.text, source),
    next,
  ];
  return {
    content: content.filter((one) => one !== '').map((one) => ({ type: 'text', text: one })),
  };
}

function changedNote({ offset, copy: wanted }: PagingArgs, { id }: KeptCopy): string {
  if (offset === 0 || wanted === undefined || wanted === id) return '';
  return `The text has changed since copy ${wanted}: this is copy ${id}, and the offset may not fit. Call again without offset to read it from its start.`;
}

function pastTheEnd(offset: number, total: number): CliError {
  return new CliError(
    `\`offset\` is ${offset}, but the text has ${total} characters.`,
    'Use the offset that the cut answer names, or leave it out to read from the start.',
  );
}
