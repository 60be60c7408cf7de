import { launchFailure } from './chromium-launcher.js';

const playwrights = (...said: readonly string[]): Error =>
  new Error(
    [
      'browserType.launchPersistentContext: Target page, context or browser has been closed',
      'Call log:',
      '\u001b[2m  - <launched> pid=7\u001b[22m',
      ...said.map((line) => `\u001b[2m  - [pid=7][err] ${line}\u001b[22m`),
    ].join('\n'),
  );

describe('why Chromium did not start', () => {
  it.each([
    [
      'root',
      playwrights(
        '[1121/133551.78:ERROR:dbus/bus.cc:40] Failed to connect',
        '[1121/133551.79:ERROR:content/zygote_host_impl_linux.cc:103] Running as root without --no-sandbox is not supported.',
      ),
      'Running as root without --no-sandbox is not supported.',
    ],
    [
      'no user namespaces',
      playwrights(
        '[1:1:1121/133551.79:FATAL:content/zygote_host_impl_linux.cc:128] No usable sandbox! See linux/suid_sandbox.md',
        '#0 0x5581 <unknown>',
      ),
      'No usable sandbox! See linux/suid_sandbox.md',
    ],
    [
      'a missing library',
      playwrights('chromium: error while loading shared libraries: libnss3.so'),
      'chromium: error while loading shared libraries: libnss3.so',
    ],
    ['the gravest', playwrights('hm', '[1:ERROR:a] first', '[1:FATAL:b] second'), 'second'],
    ['silence', playwrights(), 'Target page, context or browser has been closed'],
    [
      'an exit code',
      new Error(
        `${playwrights().message}\n  - [pid=7] <process did exit: exitCode=1, signal=null>`,
      ),
      'it ended with exit code 1 and reported nothing',
    ],
    ['no program', new Error('spawn /nowhere ENOENT\nmore'), 'spawn /nowhere ENOENT'],
    ['something else', 'text', 'text'],
  ])('is reported in one line: %s', (_name, error, reason) => {
    expect(launchFailure(error)).toBe(reason);
  });
});
