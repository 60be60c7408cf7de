// Writes the table of settings into docs/settings.md, from the code. Run by `npm run format`.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { ensureBuilt, root } from './bootstrap.mjs';

await ensureBuilt();
const { SETTINGS } = await import(path.join(root, 'dist/libs/config/src/index.js'));
const rows = Object.values(SETTINGS).map(({ env, fallback, meaning }) => {
  const shown = String(fallback ?? '') === '' ? '–' : `\`${fallback}\``;
  return `| \`${env}\` | ${shown} | ${meaning} |`;
});
const table = ['| variable | default | meaning |', '|---|---|---|', ...rows].join('\n');
const file = path.join(root, 'docs/settings.md');
const text = readFileSync(file, 'utf8');
writeFileSync(
  file,
  text.replace(/(<!-- settings[^>]*-->)[\s\S]*?(<!-- \/settings -->)/, `$1\n\n${table}\n\n$2`),
);
