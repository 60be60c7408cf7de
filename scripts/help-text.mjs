// The output of `npm start -- --help`. Plain Node without packages: it works before anything is installed or
// built.

/** The most common settings; docs/settings.md has all of them with their defaults. */
export const mainSettings = [
  ['PORT', 'port of the API (3000)'],
  ['HOST', 'address it listens on (127.0.0.1: this machine only)'],
  ['PUBLIC_URL', 'address under which clients reach it'],
  ['DATA_DIR', 'folder of database, documents and first key (.data)'],
  ['FETCH_ALLOW_PRIVATE', 'private addresses that may be fetched, e.g. 127.0.0.1/32:8080'],
  ['CHROMIUM_PATH', 'the browser to use, if none is found'],
  ['DATABASE_URL', 'a PostgreSQL of your own'],
  ['BROKER_URL', 'a RabbitMQ of your own'],
  ['STORAGE_URL', 'an S3 of your own'],
  ['LLM_BASE_URL', 'a model server, for `schema`, json and summary'],
  ['LOG_LEVEL', 'debug, info, warn or error'],
];

/** The command line arguments of each app. */
const flagsOf = { standalone: ['--doctor'] };

export const isHelp = (flags) => flags.some((flag) => flag === '--help' || flag === '-h');

/** The first unknown argument; undefined if the app knows all of them. */
export function unknownFlag(app, flags) {
  return flags.find((flag) => !(flagsOf[app] ?? []).includes(flag));
}

export function helpText(app) {
  const command = app === 'standalone' ? 'npm start' : `npm run start:${app}`;
  return `Usage: ${command}

Installs and builds what is missing, then starts Trawl${app === 'standalone' ? ' with a database of its own' : `'s ${app}`}
and runs until Ctrl-C. The first start prints the key; it stays in DATA_DIR/dev-key.

Other commands:
  npm run doctor          checks the requirements, and tells you how to fix problems
  npm run admin -- help   accounts, keys and credits
  npm start -- --help     this text

Settings are environment variables, e.g. PORT=8080 ${command}:
${mainSettings.map(([name, text]) => `  ${name.padEnd(20)} ${text}`).join('\n')}

Documentation: README.md and docs/ (every setting: docs/settings.md); of a running service also
/llms-full.txt, /openapi.json and the account page, /dashboard.`;
}
