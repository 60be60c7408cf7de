import { type Element } from 'domhandler';
import { textOf } from '../dom/walk.js';
import { codeLanguage } from './code-language.js';
import { codeFence, codeSpan, isLineNumbers, preformattedText } from './code-text.js';
import { type InlineWriter } from './inline-writer.js';
import { type BlockFlow } from './table-elements.js';
import { type TableWriter } from './table-writer.js';

/** Code on lines of its own: a fence, or a line of spans in a table cell. */
export class CodeElements {
  constructor(
    private readonly tables: TableWriter,
    private readonly inline: InlineWriter,
    private readonly flow: BlockFlow,
  ) {}

  /** Answers whether the element's content is still to be written. */
  enter(element: Element): boolean {
    if (isLineNumbers(element)) return false;
    const { text, isCut } = preformattedText(element);
    // Some pictures are in preformatted blocks for no reason; line numbers have one.
    if (text === '') return textOf(element, MAX_BLANK_CHARS).trim() === '';
    if (this.tables.isInCell) {
      this.writeInCell(text);
    } else {
      this.flow.startBlock();
      this.flow.write(codeFence(text, codeLanguage(element)), 'code');
    }
    if (isCut) this.flow.stop();
    return false;
  }

  private writeInCell(text: string): void {
    this.inline.break('<br>');
    for (const line of text.split('\n')) {
      if (line.trim() !== '') this.inline.atom(codeSpan(line.trim()));
      this.inline.break('<br>');
    }
  }
}

/** White space around a picture; more of it is not looked through. */
const MAX_BLANK_CHARS = 1_000;
