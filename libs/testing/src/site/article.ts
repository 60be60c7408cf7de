import { htmlPage, type RouteVisit, sendHtml } from './route.js';

/** Text that only the article on `topic` holds; Markdown leaves it as it is. */
export function articleMarker(topic: string): string {
  return `article-of-${topic}-end`;
}

/** Enough plain words to count as a page, with the marker at their end. */
export function articleHtml(topic: string): string {
  const sentence = `This article is about ${topic} and tells it in plain words that a reader can use.`;
  return `<p>${`${sentence} `.repeat(5)}</p>\n<p>More about it follows. ${sentence} ${articleMarker(topic)}</p>\n`;
}

export interface ArticlePage {
  readonly topic: string;
  /** Markup before and after the article. */
  readonly before?: string;
  readonly after?: string;
  readonly head?: string;
  readonly status?: number;
}

/** A whole page with an article; what sets the trap is before or after it. */
export function sendArticle({ response }: Pick<RouteVisit, 'response'>, page: ArticlePage): void {
  const { topic, before = '', after = '', head = '', status = 200 } = page;
  const body = `${before}${articleHtml(topic)}${after}`;
  sendHtml(response, htmlPage({ title: `About ${topic}`, head, body }), status);
}

export function sendScript({ response }: Pick<RouteVisit, 'response'>, script: string): void {
  response.writeHead(200, { 'content-type': 'text/javascript; charset=utf-8' }).end(script);
}
