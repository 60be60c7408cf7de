const ADDRESS = /[\w.%+-]{1,64}@[a-z0-9-][a-z0-9.-]{0,189}\.[a-z]{2,24}(?![\w@])/i;
/** Spelled so that harvesters miss it. */
const SPELLED = /([\w.%+-]{1,64})\s?[[(]\s?at\s?[\])]\s?([a-z0-9][a-z0-9.-]{0,190}\.[a-z]{2,24})/i;
const PLACEHOLDER_HOST =
  /(?:^|\.)(?:example\.(?:com|org|net)|domain\.(?:com|tld)|yourdomain\.\w+|yoursite\.\w+|yourcompany\.\w+|email\.com|mysite\.com|website\.com|sentry\.io|wixpress\.com|test\.com)$/;
/** Unread mailboxes, and file names that look like addresses (`logo@2x.png`). */
const UNREAD =
  /^(?:no-?reply|do-?not-?reply|postmaster|mailer-daemon|your-?e?mail|username|user|you|name)@/i;
const FILE_NAME = /\.(?:png|jpe?g|gif|webp|svg|avif|css|js)$/i;

/** The first mail address in a text, host in lower case; undefined for placeholders. */
export function readEmail(text: string): string | undefined {
  const source = text.slice(0, 1_000).replace(/^\s*mailto:/i, '');
  const spelled = SPELLED.exec(source);
  const address = ADDRESS.exec(source)?.[0] ?? (spelled && `${spelled[1]}@${spelled[2]}`);
  if (address === undefined || address === null) return undefined;
  const at = address.lastIndexOf('@');
  const host = address.slice(at + 1).toLowerCase();
  if (PLACEHOLDER_HOST.test(host) || UNREAD.test(address) || FILE_NAME.test(host)) return undefined;
  return host.includes('..') ? undefined : `${address.slice(0, at)}@${host}`;
}

/** Placeholder hosts ("put yours here"). */
export const isPlaceholderHost = (host: string): boolean =>
  PLACEHOLDER_HOST.test(host.toLowerCase());
