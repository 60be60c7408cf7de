import type { FastifyInstance, FastifyRequest } from 'fastify';
import { html, type Html } from '../html/html.js';
import { formField } from './form-body.js';
import { cookieNamed } from './token-cookie.js';
import { goTo } from './signed-in.js';

/** The first follows the system. */
const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const COOKIE = 'trawl_theme';
const YEAR_SECONDS = 31_536_000;

export function themeOf(request: FastifyRequest): Theme {
  return themeIn(cookieNamed(request, COOKIE));
}

const themeIn = (text: unknown): Theme => THEMES.find((one) => one === text) ?? 'auto';

/** Keeps a theme in the browser, and leads back to the page where it was chosen. */
export function themeRoute(scope: FastifyInstance): void {
  scope.post('/dashboard/theme', (request, reply) => {
    const theme = themeIn(formField(request, 'theme'));
    void reply.header(
      'set-cookie',
      `${COOKIE}=${theme}; Path=/; Max-Age=${YEAR_SECONDS}; HttpOnly; SameSite=Strict`,
    );
    return goTo(reply, pathOf(request.headers.referer));
  });
}

/** The page that the form was on: Referrer-Policy is same-origin. */
function pathOf(referer: string | undefined): string {
  if (referer === undefined || !URL.canParse(referer)) return '/dashboard';
  const { pathname, search } = new URL(referer);
  return pathname.startsWith('/dashboard') ? pathname + search : '/dashboard';
}

/** @param fields of every form */
export function themeSwitch(current: Theme, fields: Html): Html {
  return html`<form class="themes" method="post" action="/dashboard/theme">
    ${fields}
    ${THEMES.map(
      (theme) =>
        html`<button
          class="quiet"
          name="theme"
          value="${theme}"
          aria-pressed="${String(theme === current)}"
        >
          ${theme}
        </button>`,
    )}
  </form>`;
}
