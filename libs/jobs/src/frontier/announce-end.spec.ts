import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const SOURCES = path.resolve(__dirname, '../..');
/** An UPDATE of jobs with a new state that is, or may be, final. */
const ENDING =
  /(announcingEnd\(\s*`\s*)?UPDATE jobs\b[^`]*?\bSET\b[^`]*?\bstatus = (?:CASE\b[^,]*)?'(?:completed|failed|cancelled)'/g;

function* sources(dir: string): Generator<string> {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const inner = path.join(dir, entry.name);
    if (entry.isDirectory()) yield* sources(inner);
    else if (/\.ts$/.test(inner) && !/spec\.ts$/.test(inner)) yield inner;
  }
}

describe('the end of a job', () => {
  const ends = [...sources(SOURCES)].flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(ENDING)].map(([, announced]) => ({
      file: path.relative(SOURCES, file),
      isAnnounced: announced !== undefined,
    })),
  );

  it('is written by several statements', () => {
    expect(ends.length).toBeGreaterThanOrEqual(3);
  });

  it('is announced by every statement that writes it', () => {
    expect(ends.filter(({ isAnnounced }) => !isAnnounced)).toEqual([]);
  });
});
