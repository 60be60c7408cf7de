// The main content of labelled pages: how much of it is kept, and what that costs. See ../../README.md.
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { DEFAULT_CONTENT_OPTIONS } from '@app/contracts';
import { extractPage, type PageContent } from '@app/content';
import {
  type ScoredPage,
  type LabelSet,
  type MetadataLabel,
  readLabelSets,
  type SetPart,
} from './label-sets.js';
import { type MeanScore, textOfMarkdown } from './main-content-score.js';
import { scoreMetadata } from './metadata-score.js';
import { writeFeatures } from './write-features.js';
import { productLines, readProducts } from './product-set.js';
import { type Peer, readPeers } from './peer-texts.js';

/** Pages converted before the clock starts. */
const WARM_UP_PAGES = 8;
/** A language with fewer pages gets no line of its own. */
const MIN_GROUP_PAGES = 8;

/** A page as one program reads it. */
interface ReadPage {
  readonly page: ScoredPage;
  readonly text: string;
  readonly metadata: MetadataLabel;
  readonly group: string;
}

/** Prints the score and the cost of `onlyMainContent` on folders of labelled pages. */
export async function mainContentBench(args: readonly string[]): Promise<void> {
  const { data, part, worst, out, only, features } = parseOptions(args);
  const sets = await readLabelSets(data, part);
  const peers = await readPeers(data);
  if (only === null || only === 'products') await printProducts(path.join(data, 'products'), part);
  for (const set of sets) {
    if (only !== null && set.name !== only) continue;
    if (features !== null) {
      await writeFeatures(set.pages, features);
      continue;
    }
    for (const page of set.pages.slice(0, WARM_UP_PAGES)) contentOf(page);
    const first = measured(set.pages);
    printScores(set, first.read, peers, worst);
    if (out !== null) await writeFile(`${out}.${set.name}.json`, outputOf(set, first.read));
    // The engine compiles while it meets the pages for the first time; a running service no longer does.
    const again = measured(set.pages);
    console.log(
      `${first.cpuMs.toFixed(2)} ms CPU a page: parsing, metadata, main content, Markdown; ` +
        `${again.cpuMs.toFixed(2)} ms the second time\n`,
    );
  }
}

async function printProducts(dir: string, part: SetPart): Promise<void> {
  if (!existsSync(dir)) return;
  const pages = await readProducts(dir, part);
  console.log([`products, ${pages.length} pages`, ...productLines(pages), ''].join('\n'));
}

function parseOptions(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      suite: { type: 'string' },
      data: { type: 'string' },
      only: { type: 'string' },
      out: { type: 'string' },
      features: { type: 'string' },
      worst: { type: 'string', default: '0' },
      'held-out': { type: 'boolean', default: false },
    },
  });
  if (values.data === undefined) throw new Error('--data must name a folder of labelled pages');
  return {
    data: values.data,
    part: values['held-out'] ? ('held-out' as const) : ('tuned' as const),
    worst: Number(values.worst),
    out: values.out ?? null,
    features: values.features ?? null,
    only: values.only ?? null,
  };
}

interface Measured {
  readonly read: readonly ReadPage[];
  /** A page. */
  readonly cpuMs: number;
}

function measured(pages: readonly ScoredPage[]): Measured {
  const before = process.cpuUsage();
  const contents = pages.map((page) => ({ page, content: contentOf(page) }));
  const { user, system } = process.cpuUsage(before);
  const read = contents.map(({ page, content }) => readPage(page, content));
  return { read, cpuMs: (user + system) / 1_000 / Math.max(1, pages.length) };
}

function contentOf({ html, url, contentType }: ScoredPage): PageContent {
  return extractPage(
    { body: html, contentType, url },
    {
      markdown: true,
      links: false,
      rawHtml: false,
      content: { ...DEFAULT_CONTENT_OPTIONS, onlyMainContent: true },
    },
  );
}

/** What a user gets, as text: the Markdown of the page's main content without its marks. */
function readPage(page: ScoredPage, { markdown, metadata }: PageContent): ReadPage {
  const { author, publishedTime, modifiedTime, language } = metadata;
  // The others have one date as well: the last change where nothing else is known.
  const date = publishedTime ?? modifiedTime;
  const title = metadata.headline ?? metadata.title;
  return {
    page,
    text: textOfMarkdown(markdown ?? ''),
    metadata: {
      ...(title === undefined ? {} : { title }),
      ...(author === undefined ? {} : { author }),
      ...(date === undefined ? {} : { date }),
    },
    group: page.group ?? language?.slice(0, 2).toLowerCase() ?? 'no language',
  };
}

function printScores(
  set: LabelSet,
  read: readonly ReadPage[],
  peers: readonly Peer[],
  worst: number,
): void {
  const worstPages = read
    .map((one) => ({ one, score: set.scoreOf([one]) }))
    .sort((left, right) => left.score.f1 - right.score.f1)
    .slice(0, worst);
  for (const { one, score } of worstPages)
    console.log(`${scoreText(score)}  ${one.group}  ${one.page.id}  ${one.page.url}`);
  console.log(`${set.name}, ${read.length} pages`);
  for (const { name, read: pages } of [{ name: 'trawl', read }, ...peerPages(set, read, peers)]) {
    console.log(`  ${name.padEnd(14)} ${scoreText(set.scoreOf(pages))}`);
    if (name === 'trawl') printGroups(set, pages);
    else
      console.log(
        `    ${groupsOf(pages)
          .map(([group, found]) => `${group} ${set.scoreOf(found).f1.toFixed(3)}`)
          .join('  ')}`,
      );
    printMetadata(pages);
  }
}

function printGroups(set: LabelSet, read: readonly ReadPage[]): void {
  for (const [group, pages] of groupsOf(read)) {
    const count = String(pages.length).padStart(5);
    console.log(`    ${group.padEnd(14)} ${scoreText(set.scoreOf(pages))} ${count} pages`);
  }
}

function groupsOf(read: readonly ReadPage[]): readonly (readonly [string, readonly ReadPage[]])[] {
  const groups = new Map<string, ReadPage[]>();
  for (const one of read) groups.set(one.group, [...(groups.get(one.group) ?? []), one]);
  return [...groups]
    .filter(([, pages]) => pages.length >= MIN_GROUP_PAGES)
    .sort(([one], [other]) => (one < other ? -1 : 1));
}

function printMetadata(read: readonly ReadPage[]): void {
  const pages = read.flatMap(({ page, metadata }) =>
    page.metadata === null ? [] : [{ label: page.metadata, found: metadata }],
  );
  if (pages.length === 0) return;
  const fields = scoreMetadata(pages).map(
    ({ field, recall, precision, labelled }) =>
      `${field} recall ${recall.toFixed(3)} precision ${precision.toFixed(3)} of ${labelled}`,
  );
  console.log(`    ${fields.join(';  ')}`);
}

/** The same pages as each of the others read them. */
function peerPages(set: LabelSet, read: readonly ReadPage[], peers: readonly Peer[]) {
  return peers
    .map(({ name, textOf, metadataOf }) => ({
      name,
      read: read.flatMap(({ page, group }) => {
        const text = textOf(set, page.id);
        return text === null ? [] : [{ page, group, text, metadata: metadataOf(set, page.id) }];
      }),
    }))
    .filter((peer) => peer.read.length > 0);
}

function outputOf(set: LabelSet, read: readonly ReadPage[]): string {
  const pages = read.map((one) => {
    const { page, text, metadata, group } = one;
    return [page.id, { ...set.scoreOf([one]), group, text, metadata }];
  });
  return JSON.stringify(Object.fromEntries(pages));
}

const scoreText = ({ f1, precision, recall }: MeanScore): string =>
  `F1 ${f1.toFixed(4)}  precision ${precision.toFixed(4)}  recall ${recall.toFixed(4)}`;
