import { escapeHtmlAttribute } from '../html/escape-html.js';

const MAX_CHARS = 8_000_000;
const MAX_POSTS = 500;
const MAX_TOPICS = 500;

interface Post {
  readonly username?: unknown;
  readonly name?: unknown;
  readonly created_at?: unknown;
  /** HTML. */
  readonly cooked?: unknown;
}

interface Topic {
  readonly id?: unknown;
  readonly slug?: unknown;
  readonly title?: unknown;
  readonly post_stream?: { readonly posts?: readonly Post[] };
  readonly topic_list?: { readonly topics?: readonly Topic[] };
}

/**
 * HTML of the posts of a topic, or of a list of topics, in the data that a page of Discourse has in an attribute; empty: there
 * are none.
 */
export function preloadedTopic(data: string): string {
  const stored = data.length > MAX_CHARS ? null : parsed(data);
  if (stored === null) return '';
  return Object.entries(stored)
    .filter(([name]) => /^topic_(?:\d+|list)/.test(name))
    .map(([, text]) => topicHtml(typeof text === 'string' ? parsed(text) : text))
    .join('');
}

function parsed(json: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function topicHtml(value: unknown): string {
  const { title, post_stream: stream, topic_list: list } = (value ?? {}) as Topic;
  const posts = recordsIn(stream?.posts, MAX_POSTS).map(postHtml);
  const topics = recordsIn(list?.topics, MAX_TOPICS).map(linkTo);
  if (posts.length === 0 && topics.length === 0) return '';
  return `<main><h1>${shown(title)}</h1>${posts.join('')}<ul>${topics.join('')}</ul></main>`;
}

function recordsIn(list: unknown, most: number): readonly object[] {
  const items: readonly unknown[] = Array.isArray(list) ? list.slice(0, most) : [];
  return items.filter((item) => typeof item === 'object' && item !== null);
}

function postHtml({ username, name, created_at: at, cooked }: Post): string {
  const author = shown(name) || shown(username);
  const time = shown(at);
  return `<article><p><b>${author}</b> <time datetime="${time}">${time.slice(0, 10)}</time></p>${typeof cooked === 'string' ? cooked : ''}</article>`;
}

function linkTo({ id, slug, title }: Topic): string {
  return `<li><a href="/t/${shown(slug)}/${shown(id)}">${shown(title)}</a></li>`;
}

function shown(value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number') return '';
  return escapeHtmlAttribute(String(value));
}
