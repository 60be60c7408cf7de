// Hosts of scripts that no page needs for its content, from the fingerprints of what they are, and facts of our own.
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { root } from './bootstrap.mjs';

const CATEGORIES = [
  'advertising',
  'affiliate',
  'analytics',
  'call-tracking',
  'cookie-consent',
  'customer-data-platform',
  'error-monitoring',
  'live-chat',
  'marketing-automation',
  'performance-monitoring',
  'push-notification',
  'retargeting',
  'tag-manager',
];
/** Hosts that serve other things as well, and accounts of samples. */
const SHARED = [
  '0123abcd.sibforms.com',
  '123-abc-456.mktoresp.com',
  'ajax.googleapis.com',
  'app-sj01.marketo.com',
  'cdn.jsdelivr.net',
  'cdn2l.ink',
  'connect.facebook.net',
  'd.line-scdn.net',
  'd3hb14vkzrxvla.cloudfront.net',
  'facebook.com',
  'js.hsforms.net',
  'redditstatic.com',
  's.pinimg.com',
  's.yimg.com',
  'storage.googleapis.com',
  'unpkg.com',
  't.co',
  'vk.com',
  'yandex.ru',
];
/** All of their subdomains. */
const WHOLE = [
  '2mdn.net',
  'adform.net',
  'adnxs.com',
  'adsrvr.org',
  'amazon-adsystem.com',
  'bidswitch.net',
  'clarity.ms',
  'criteo.com',
  'criteo.net',
  'demdex.net',
  'doubleclick.net',
  'everesttech.net',
  'google-analytics.com',
  'googleadservices.com',
  'googlesyndication.com',
  'googletagmanager.com',
  'hotjar.com',
  'mc.yandex.ru',
  'mktoresp.com',
  'moatads.com',
  'omtrdc.net',
  'openx.net',
  'outbrain.com',
  'pubmatic.com',
  'quantserve.com',
  'rubiconproject.com',
  'scorecardresearch.com',
  'taboola.com',
];

/** The hosts, each once, in alphabetical order. */
function thirdPartyHosts() {
  const found = CATEGORIES.flatMap((name) => {
    const file = path.join(root, 'libs/tech/fingerprints', `${name}.json`);
    return JSON.parse(readFileSync(file, 'utf8')).technologies.flatMap(hostsOf);
  });
  const isCovered = (host) =>
    WHOLE.some((whole) => host === whole || host.endsWith(`.${whole}`)) || SHARED.includes(host);
  const others = found.filter((host) => !isCovered(host));
  return [...new Set([...WHOLE, ...others])].toSorted();
}

/** Those in samples of a technology that one of its patterns names, too. */
function hostsOf({ samples, ...patterns }) {
  const named = JSON.stringify(patterns).replaceAll('\\\\.', '.');
  const sampled = JSON.stringify(samples?.match ?? []);
  const hosts = [...sampled.matchAll(/(?:https?:)?\/\/([a-z0-9-]+(?:\.[a-z0-9-]+)+)/g)];
  return hosts
    .map(([, host]) => host.replace(/^(?:[a-z]*\d+|www)\.(?=.*\.)/, ''))
    .filter((host) => named.includes(host.split('.').slice(-2).join('.')))
    .filter((host) => !host.includes('example'));
}

/** The file with the list. */
export const THIRD_PARTY_FILE = 'libs/fetch/src/render/third-party-hosts.ts';

export function thirdPartyFile() {
  const lines = [];
  for (const host of thirdPartyHosts()) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + host.length < 110)
      lines[lines.length - 1] += ` ${host}`;
    else lines.push(host);
  }
  return `/**
 * Hosts of advertising, analytics, chats, consent and monitoring, and their subdomains. Written by
 * scripts/third-party-hosts.mjs from the fingerprints.
 */
export const THIRD_PARTY_HOSTS: readonly string[] = \`
${lines.join('\n')}
\`
  .trim()
  .split(/\\s+/);
`;
}
