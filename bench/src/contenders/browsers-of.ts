import { descendantsOf } from '@app/testing';

const BROWSER_NAME = /chrom|headless/i;

/** The browsers below a process as a part of their own; none when it has started none yet. */
export function browserPartOf(pid: number): Readonly<Record<string, readonly number[]>> {
  const browsers = descendantsOf(pid).filter(({ name }) => BROWSER_NAME.test(name));
  return browsers.length === 0 ? {} : { browser: browsers.map((one) => one.pid) };
}
