import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { cpuCost, growthOf, isFarBelowSquared, LINEAR_GROWTH, projectRoot } from '@app/testing';
import ts from 'typescript';
import { attacksOn } from './attacks.js';

const CHARS = 20_000;

/** An expression as it is written, and where. */
type Written = readonly [place: string, source: string];

describe('the regular expressions of the sources', () => {
  it('take time linear in the text, whatever leads into their repetitions', async () => {
    const squared: string[] = [];
    const written = sourceFiles().flatMap(expressionsIn);
    expect(written.length).toBeGreaterThan(1_000);
    for (const [place, source] of written) {
      const growth = await worstGrowth(source);
      if (growth >= LINEAR_GROWTH) squared.push(`${place} ${source}: ${growth.toFixed(1)}`);
    }
    expect(squared).toEqual([]);
  });

  it.each([
    ['what leads into a repetition', String.raw`/url\([^)]*\)/g`],
    ['text before the end', String.raw`/\/+$/`],
    ['words without an end', String.raw`/https?:\/\/\S*\/$/`],
  ])('would be found by %s', async (_name, source) => {
    expect(await worstGrowth(source)).toBeGreaterThan(LINEAR_GROWTH);
  });
});

/** Without tests and what only tests use. */
function sourceFiles(): readonly string[] {
  const files = globSync('{apps,libs}/*/src/**/*.ts', { cwd: projectRoot() });
  const isOfTests = /^libs\/testing\/|(?:spec|soak|growth|contract)\.ts$|\/fixtures\//;
  return files.filter((file) => !isOfTests.test(file));
}

function expressionsIn(file: string): readonly Written[] {
  const text = readFileSync(path.join(projectRoot(), file), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Written[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      found.push([`${file}:${line + 1}`, node.text]);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Of all attacks; of one that tries a single place (`y`) there is none. */
async function worstGrowth(literal: string): Promise<number> {
  const end = literal.lastIndexOf('/');
  const flags = literal.slice(end + 1);
  if (flags.includes('y')) return 0;
  const expression = new RegExp(literal.slice(1, end), flags.includes('g') ? flags : `${flags}g`);
  let worst = 0;
  for (const attack of attacksOn(literal)) {
    for (const tail of ['\u0001', '']) {
      const textOf = (n: number): string =>
        attack.repeat(Math.ceil(n / attack.length)).slice(0, n) + tail;
      const cost = cpuCost(textOf, (text) => text.replace(expression, ''));
      if (await isFarBelowSquared(cost, CHARS)) continue;
      worst = Math.max(worst, await growthOf(cost, { from: CHARS / 4, upTo: 4 * CHARS }));
    }
  }
  return worst;
}
