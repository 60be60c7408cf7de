import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '@app/testing';
import type { Answers } from './scripted-resolver.js';

/** One line of `ssrf-cases.json`: a URL, what must happen to it, and why. */
export interface SsrfCase {
  readonly id: string;
  readonly url: string;
  readonly expect: 'block' | 'allow';
  readonly why: string;
  readonly group: string;
  /** The rule of the URL standard that ends it: `invalid` text may be refused as an invalid URL. */
  readonly spec?: 'invalid' | 'scheme' | 'odd-name';
  /** A stricter policy than `expect` is fine too. */
  readonly optional?: boolean;
  readonly dns?: Readonly<Record<string, Answers>>;
  readonly surface?: 'redirect' | 'redirect-browser' | 'header' | 'service' | 'browser';
  readonly entry?: string;
  readonly response?: { readonly status: number; readonly location: string };
  readonly how?: string;
}

/** Every case of the list, read from the file beside this one. */
export function loadSsrfCases(): readonly SsrfCase[] {
  const file = path.join(projectRoot(), 'libs/egress/test/ssrf-cases.json');
  return JSON.parse(readFileSync(file, 'utf8')) as readonly SsrfCase[];
}
