import path from 'node:path';
import { projectRoot } from '@app/testing';
import type { Contender, Contest } from '../contender.js';
import type { ContenderName } from '../options.js';
import { batchContender } from './batch-contender.js';
import { pythonWith } from './python-packages.js';

/** Scrapy and the converter to Markdown that it is used with here. */
export interface ScrapyProgram {
  readonly name: ContenderName;
  /** `markdownify`: the usual one, in Python. `native`: html-to-markdown, compiled. */
  readonly converter: 'markdownify' | 'native';
}

/** Scrapy in a process per crawl, its packages installed beside the bench's results. */
export function scrapyContender({ name, converter }: ScrapyProgram, contest: Contest): Contender {
  const dir = path.join(projectRoot(), 'bench/scrapy');
  let interpreter = '';
  return {
    name,
    async prepare() {
      interpreter = await pythonWith(
        path.join(dir, 'requirements.txt'),
        path.join(contest.workDir, 'python'),
      );
    },
    start: async () => {},
    stop: async () => {},
    round(begin) {
      const script = path.join(dir, 'crawl.py');
      return batchContender({ name, script, interpreter, mode: converter }, contest).round(begin);
    },
  };
}
