// Writes the files that repeat code: settings in docs/settings.md and in the chart's schema, values in the chart's README,
// the dashboards, the hosts that pages of a browser do without, and the types of the client.
// Run by `npm run format`; `--check` writes nothing and fails where one is stale. It leaves out the types of the client:
// apps/api/src/public/generated-clients.spec.ts compares them with the document of the sources.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import prettier from 'prettier';

import { ensureBuilt, isUnderServiceNode, nodeBinary, root } from './bootstrap.mjs';
import { CLIENT_TYPES, clientTypes, readOpenApi } from './client-types.mjs';
import { dashboardFiles } from './dashboards.mjs';
import { valuesTable, withSettings } from './chart-tables.mjs';
import { THIRD_PARTY_FILE, thirdPartyFile } from './third-party-hosts.mjs';

/** The tables of docs/settings.md, one for each group. */
function settingsTables(groups) {
  return Object.entries(groups)
    .map(([title, settings]) => `## ${title}\n\n${settingsTable(settings)}`)
    .join('\n\n');
}

function settingsTable(settings) {
  const rows = Object.values(settings).map(({ env, fallback, meaning }) => {
    const shown = String(fallback ?? '') === '' ? '–' : `\`${fallback}\``;
    return `| \`${env}\` | ${shown} | ${meaning} |`;
  });
  return ['| variable | default | meaning |', '|---|---|---|', ...rows].join('\n');
}

/** The text with the table between `<!-- name …-->` and `<!-- /name -->`. */
function withTable(text, name, table) {
  const place = new RegExp(`(<!-- ${name}[^>]*-->)[\\s\\S]*?(<!-- /${name} -->)`);
  return text.replace(place, (_, begin, end) => `${begin}\n\n${table}\n\n${end}`);
}

/** Files with what they should have, before formatting. */
async function wantedFiles(isCheck) {
  const { SETTINGS, SETTING_GROUPS } = await import(
    path.join(root, 'dist/libs/config/src/index.js')
  );
  const read = (file) => readFileSync(path.join(root, file), 'utf8');
  const values = read('charts/trawl/values.yaml');
  const schema = JSON.parse(read('charts/trawl/values.schema.json'));
  return {
    'docs/settings.md': withTable(
      read('docs/settings.md'),
      'settings',
      settingsTables(SETTING_GROUPS),
    ),
    'charts/trawl/README.md': withTable(
      read('charts/trawl/README.md'),
      'values',
      valuesTable(values),
    ),
    'charts/trawl/values.schema.json': JSON.stringify(withSettings(schema, SETTINGS)),
    [THIRD_PARTY_FILE]: thirdPartyFile(),
    ...(isCheck ? {} : { [CLIENT_TYPES]: await clientTypes(await readOpenApi()) }),
    ...Object.fromEntries(
      Object.entries(dashboardFiles()).map(([name, dashboard]) => [
        `charts/trawl/files/dashboards/${name}`,
        JSON.stringify(dashboard),
      ]),
    ),
  };
}

/** Writes those that differ when formatted, or with `--check` only names them and returns 1. */
async function updateTables(isCheck) {
  let stale = 0;
  for (const [file, text] of Object.entries(await wantedFiles(isCheck))) {
    const full = path.join(root, file);
    const options = { ...(await prettier.resolveConfig(full)), filepath: full };
    const wanted = await prettier.format(text, options);
    if (existsSync(full) && wanted === readFileSync(full, 'utf8')) continue;
    stale++;
    if (isCheck) console.error(`${file} is stale: run npm run format`);
    else writeFileSync(full, wanted);
  }
  return isCheck && stale > 0 ? 1 : 0;
}

await ensureBuilt();
process.exitCode = isUnderServiceNode()
  ? await updateTables(process.argv.includes('--check'))
  : spawnSync(nodeBinary(), process.argv.slice(1), { stdio: 'inherit' }).status;
