import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AssetPaths } from '../http/assets.js';
import { signedInOf, type SignedIn } from '../http/signed-in.js';
import { themeOf, themeSwitch, type Theme } from '../http/theme.js';
import { html, type Html, type Piece } from './html.js';

/** Sections of the account page, in menu order. */
const SECTIONS = [
  { id: 'overview', title: 'Overview', path: '/dashboard' },
  { id: 'playground', title: 'Playground', path: '/dashboard/playground' },
  { id: 'jobs', title: 'Jobs', path: '/dashboard/jobs' },
  { id: 'feeds', title: 'Feeds and pulls', path: '/dashboard/feeds' },
  { id: 'requests', title: 'Requests', path: '/dashboard/requests' },
  { id: 'keys', title: 'API keys', path: '/dashboard/keys' },
  { id: 'webhooks', title: 'Webhooks', path: '/dashboard/webhooks' },
  { id: 'plan', title: 'Plan', path: '/dashboard/plan' },
  { id: 'docs', title: 'Documentation', path: '/docs' },
] as const;
export type SectionId = (typeof SECTIONS)[number]['id'];

export interface Page {
  /** The only h1, and the title of the window. */
  readonly title: string;
  /** A sentence below the title. */
  readonly lead?: Piece;
  readonly section: SectionId | null;
  /** Of public pages, in place of the sections. */
  readonly menu?: Html;
  /** Link back to the parent page. */
  readonly back?: { readonly title: string; readonly path: string };
  readonly content: Html;
  /** Own page to redirect to automatically. */
  readonly goesOnTo?: string;
  /** @default 0 */
  readonly goesOnAfterSeconds?: number;
  /** @default 200 */
  readonly status?: number;
}

/** Sends whole pages. */
export class PageSender {
  constructor(private readonly assets: AssetPaths) {}

  async send(reply: FastifyReply, page: Page): Promise<FastifyReply> {
    return reply
      .status(page.status ?? 200)
      .header('content-type', 'text/html; charset=utf-8')
      .send(this.textOf(reply.request, page));
  }

  textOf(request: FastifyRequest, page: Page): string {
    const visitor = { session: signedInOf(request), theme: themeOf(request) };
    return frame(page, this.assets, visitor).toString();
  }
}

/** The field that every form must contain. */
export function formToken(session: SignedIn | undefined): Html {
  return html`<input type="hidden" name="form_token" value="${session?.formToken}" />`;
}

interface Visitor {
  readonly session: SignedIn | undefined;
  readonly theme: Theme;
}

function frame(page: Page, assets: AssetPaths, { session, theme }: Visitor): Html {
  const { title, lead, menu, back, content, goesOnTo, goesOnAfterSeconds = 0 } = page;
  return html`<!doctype html>
    <html lang="en" data-theme="${theme}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        ${goesOnTo && html`<meta http-equiv="refresh" content="${goesOnAfterSeconds}; url=${goesOnTo}" />`}
        <title>${title} · Trawl</title>
        <link rel="icon" href="${assets['icon.svg']}" />
        <link rel="stylesheet" href="${assets['dashboard.css']}" />
        <script type="module" src="${assets['dashboard.mjs']}"></script>
      </head>
      <body class="${session || menu ? 'account' : 'outside'}">
        <a class="skip" href="#main">Skip to content</a>
        <header class="top">
          <a class="brand" href="/dashboard">${MARK}<span>Trawl</span></a>
          ${menu} ${session && sections(page.section)} ${session && signOut(session)}
        </header>
        <main id="main" tabindex="-1">
          ${back && html`<p class="back"><a href="${back.path}">${back.title}</a></p>`}
          <h1>${title}</h1>
          ${lead && html`<p class="lead">${lead}</p>`} ${content}
        </main>
        ${
          session &&
          html`<footer>
            <span>Times are in UTC.</span> ${themeSwitch(theme, formToken(session))}
          </footer>`
        }
      </body>
    </html>`;
}

function sections(current: SectionId | null): Html {
  return html`<nav aria-label="Account">
    <ul>
      ${SECTIONS.map(
        ({ id, title, path }) =>
          html`<li>
            <a href="${path}" ${id === current && html`aria-current="page"`}>${title}</a>
          </li>`,
      )}
    </ul>
  </nav>`;
}

function signOut(session: SignedIn): Html {
  return html`<form class="sign-out" method="post" action="/dashboard/sign-out">
    ${formToken(session)}
    <button class="quiet">Sign out</button>
  </form>`;
}

/** The logo: a net of three meshes. */
const MARK = html`<svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
  <path
    d="M3 4h18M4 4c0 9 3 14 8 16 5-2 8-7 8-16M9 4c0 7 1 12 3 16 2-4 3-9 3-16M4.6 9.5h14.8M6.6 14.5h10.8"
    fill="none"
    stroke="currentColor"
    stroke-width="1.5"
    stroke-linecap="round"
  />
</svg>`;
