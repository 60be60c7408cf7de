/** A line of Chromium's standard error, as Playwright quotes it: `[pid=7][err] [date:LEVEL:file] text`. */
const LOG_LINE = /\[pid=\d+\]\[err\] (?:\[[^\]]*?(?<level>FATAL|ERROR)[^\]]*\] )?(?<text>.*)/;
const MAX_CHARS = 300;

/** Why Chromium did not start, in one line: by its own words if it said any, else by Playwright's. */
export function launchFailure(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const said = text.split('\n').flatMap(logLine);
  const gravest =
    said.find((line) => /sandbox/i.test(line.text)) ??
    said.find(({ level }) => level === 'FATAL') ??
    said.find(({ level }) => level === 'ERROR') ??
    said[0];
  const exitCode = /<process did exit: exitCode=(\d+)/.exec(text)?.[1];
  const silent = exitCode && `it ended with exit code ${exitCode} and reported nothing`;
  const reason = gravest?.text ?? silent ?? text.split('\n', 1)[0]?.replace(CALL, '') ?? text;
  return reason.replaceAll(ANSI_COLOURS, '').slice(0, MAX_CHARS);
}

function logLine(line: string): { readonly level: string | undefined; readonly text: string }[] {
  const groups = LOG_LINE.exec(line)?.groups;
  return groups === undefined ? [] : [{ level: groups['level'], text: groups['text'] ?? '' }];
}

const CALL = /^browserType\.\w+: /;
const ANSI_COLOURS = /\u001b\[\d*m/g;
