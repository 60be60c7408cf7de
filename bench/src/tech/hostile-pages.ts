import { seededRandom } from '@app/testing';
import { fillerHtml } from './filler.js';
import type { TechPage } from './tech-page.js';

const BODY_CHARS = 5_000_000;

/** What a body of five million characters consists of, and what is in its head. */
const SHAPES: Readonly<Record<string, () => { readonly head?: string; readonly body?: string }>> = {
  'plain article': () => ({ body: fillerHtml(BODY_CHARS, seededRandom(3)) }),
  'one letter': () => ({ body: filled('a') }),
  spaces: () => ({ body: filled(' ') }),
  'less-than signs': () => ({ body: filled('<') }),
  'open links': () => ({ body: filled('<link ') }),
  'open script sources': () => ({ body: filled('<script src="') }),
  'open metas': () => ({ body: filled('<meta name="generator" content="') }),
  'open classes': () => ({ body: filled('<div class="') }),
  'open anchors': () => ({ body: filled('<a href="') }),
  'open comments': () => ({ body: filled('<!-- ') }),
  'long script source': () => ({ head: `<script src="/${filled('a/')}"></script>` }),
  'long generator': () => ({ head: `<meta name="generator" content="${filled('1.')}">` }),
  digits: () => ({ body: filled('1.1.') }),
  'many scripts': () => ({ body: filled('<script src="/a/b.js?v=1.2.3"></script>') }),
  'powered by': () => ({ body: filled('powered by ') }),
  '/wp-content/': () => ({ body: filled('/wp-content/') }),
};

function filled(piece: string): string {
  return piece.repeat(Math.ceil(BODY_CHARS / piece.length)).slice(0, BODY_CHARS);
}

export interface HostilePage extends TechPage {
  readonly shape: string;
}

/** Made one at a time: together they are 80 MB. */
export function* hostilePages(): Generator<HostilePage> {
  for (const [shape, make] of Object.entries(SHAPES)) {
    const { head = '', body = '' } = make();
    yield {
      shape,
      url: 'https://hostile.example/',
      headers: { 'content-type': 'text/html', server: 'nginx' },
      expect: ['Nginx'],
      html: `<!doctype html><html><head>${head}</head><body>${body}</body></html>`,
    };
  }
}
