// Switches off every rule of the guard in turn and shows the case that then fails.
//
//   node test/sealed-net/mutations.mjs          a table: rule, first case that fails without it
//   node test/sealed-net/mutations.mjs --json   one line for programs
//
// Exit code 0: the whole guard passes every case, and each mutant fails one, but for those that are
// named redundant.
import { cases, judgeAll } from './guard-judge.mjs';
import { guardMutants, REDUNDANT } from './guard-mutants.mjs';
import { loaderWith } from './mutant-loader.mjs';

const startedAt = performance.now();
const whole = (await judgeAll(loaderWith([]), { isAll: true })).map(([, text]) => text);
const rows = [];
for (const { rule, edits, cover = [] } of guardMutants) {
  const except = await failingWithout(cover);
  const [[, first] = [null, null]] = await judgeAll(loaderWith([...cover, ...edits]), { except });
  rows.push({ rule, first });
}

/** What already fails when only the covering rules are off. */
async function failingWithout(cover) {
  if (cover.length === 0) return new Set();
  const failed = await judgeAll(loaderWith(cover), { isAll: true });
  return new Set(failed.map(([id]) => id));
}

const survivors = rows
  .filter(({ rule, first }) => first === null && !(rule in REDUNDANT))
  .map(({ rule }) => rule);
const ms = Math.round(performance.now() - startedAt);

if (process.argv.includes('--json')) {
  console.log(
    JSON.stringify({ cases: cases.length, mutants: rows.length, whole, survivors, rows, ms }),
  );
} else {
  for (const { rule, first } of rows)
    console.log(
      `${rule.padEnd(48)} ${first ?? (REDUNDANT[rule] ? `redundant: ${REDUNDANT[rule]}` : 'SURVIVES')}`,
    );
  console.log(`\n${rows.length} mutants, ${survivors.length} survive, ${ms} ms`);
  for (const text of whole) console.log(`The whole guard fails: ${text}`);
}
process.exitCode = survivors.length === 0 && whole.length === 0 ? 0 : 1;
