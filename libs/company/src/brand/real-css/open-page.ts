import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { readablePage, type FetchedSheet, type ReadablePage } from '@app/content';
import type { StyledPage } from './styled-pages.js';

/** A page and the sheets that it links, as they would be fetched. */
export interface OpenedPage {
  readonly html: string;
  readonly page: ReadablePage;
  readonly sheets: ReadonlyMap<string, FetchedSheet>;
}

const ORIGIN = 'https://styled.example';

/** @param root folder that holds node_modules */
export async function openPage(styled: StyledPage, root: string): Promise<OpenedPage> {
  const files = styled.sheets.map((file) => [`/${file}`, moduleText(root, file)] as const);
  const made =
    styled.tailwind === undefined
      ? []
      : [['/tailwind.css', await tailwind(root, styled.body)] as const];
  const own = styled.css === undefined ? [] : [['/own.css', styled.css] as const];
  const all = [...made, ...files, ...own];
  const links = all.map(([href]) => `<link rel="stylesheet" href="${href}">`).join('');
  const html = `<!doctype html><html lang="en" ${styled.html ?? ''}><head><meta charset="utf-8"><title>${styled.name}</title>${styled.head ?? ''}${links}</head>${
    styled.body.includes('<body') ? styled.body : `<body>${styled.body}</body>`
  }</html>`;
  const sheets = all.map(([href, css]) => {
    const url = `${ORIGIN}${href}`;
    return [url, { url, css }] as const;
  });
  return { html, page: readablePage(html, `${ORIGIN}/`), sheets: new Map(sheets) };
}

const moduleText = (root: string, file: string): string =>
  readFileSync(path.join(root, 'node_modules', file), 'utf8');

interface Tailwind {
  compile(
    css: string,
    options: {
      loadStylesheet(
        id: string,
        base: string,
      ): Promise<{ path: string; base: string; content: string }>;
    },
  ): Promise<{ build(candidates: readonly string[]): string }>;
}

/** The sheet that Tailwind makes of the classes of a body. */
async function tailwind(root: string, body: string): Promise<string> {
  const load = createRequire(path.join(root, 'package.json'));
  const { compile } = load('tailwindcss') as Tailwind;
  const { build } = await compile('@import "tailwindcss";', {
    loadStylesheet: async (_id, base) => ({
      path: 'tailwindcss/index.css',
      base,
      content: moduleText(root, 'tailwindcss/index.css'),
    }),
  });
  return build(
    [...body.matchAll(/class="([^"]*)"/g)].flatMap(([, list = '']) => list.split(/\s+/)),
  );
}
