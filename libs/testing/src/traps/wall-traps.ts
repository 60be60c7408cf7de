import { articleMarker } from '../site/article.js';
import { complete, trapFailure, type Trap } from './trap.js';

const VENDORS = ['datadome', 'perimeterx', 'akamai', 'incapsula'];

/** Bot walls, error pages and waiting pages; and pages that only look like walls. */
export const WALL_TRAPS: readonly Trap[] = [
  {
    path: '/wall/cloudflare-403',
    title: 'a challenge (403) that lets a browser through after a script',
    expect: complete(articleMarker('wall-cloudflare-403')),
    needs: 'headless',
  },
  {
    path: '/wall/cloudflare-503',
    title: 'a challenge (503) that requires a sum by form',
    expect: complete(articleMarker('wall-cloudflare-503')),
    needs: 'headless',
  },
  {
    path: '/wall/cloudflare-never',
    title: 'a challenge without a solution',
    expect: trapFailure('blocked'),
    needs: 'any',
  },
  {
    path: '/challenge',
    title: 'a challenge whose script is missing',
    expect: trapFailure('blocked'),
    needs: 'any',
  },
  {
    path: '/wall/captcha',
    title: 'a captcha wall with 200',
    expect: trapFailure('blocked'),
    needs: 'any',
  },
  ...VENDORS.map((name): Trap => ({
    path: `/wall/${name}`,
    title: `the wall of ${name}`,
    expect: trapFailure('blocked'),
    needs: 'any',
  })),
  {
    path: '/wall/user-agent',
    title: 'a bare 403 for clients that do not call themselves a browser',
    expect: complete(articleMarker('wall-user-agent')),
    needs: 'headless',
  },
  {
    path: '/wall/webdriver',
    title: 'a wall before automated browsers: only the stealthy try passes',
    expect: { ...complete(articleMarker('wall-webdriver')), fetchMethod: 'stealth' },
    needs: 'headless',
  },
  {
    path: '/429/1',
    title: '429 with Retry-After: 1, then the page',
    expect: complete('You waited'),
    needs: 'plain',
  },
  {
    path: '/wall/429-date',
    title: '429 with a date two seconds away, then the page',
    expect: complete(articleMarker('wall-429-date')),
    needs: 'plain',
  },
  {
    path: '/429?after=1',
    title: '429 for ever',
    expect: trapFailure('http_error', 'blocked'),
    needs: 'any',
  },
  {
    path: '/429?after=3600',
    title: '429 with a wait past the deadline: reported at once',
    expect: trapFailure('http_error', 'blocked'),
    needs: 'any',
  },
  {
    path: '/wall/maintenance',
    title: '503 for an hour',
    expect: { ...trapFailure('http_error'), errorIncludes: 'HTTP 503' },
    needs: 'plain',
  },
  ...[401, 404, 410, 500, 502].map((status): Trap => ({
    path: `/status/${status}`,
    title: `${status} with words on the page`,
    expect: { ...trapFailure('http_error'), errorIncludes: `HTTP ${status}` },
    needs: 'plain',
  })),
  {
    path: '/status/403',
    title: '403 with words on the page, for everybody',
    expect: trapFailure('http_error', 'blocked'),
    needs: 'any',
  },
  {
    path: '/status/404?forced',
    title: '404 straight in the browser',
    options: { forceHeadless: true },
    expect: { ...trapFailure('http_error'), errorIncludes: 'HTTP 404' },
    needs: 'any',
  },
  {
    path: '/state/basic',
    title: 'HTTP authentication without a name',
    expect: { ...trapFailure('http_error'), errorIncludes: 'HTTP 401' },
    needs: 'plain',
  },
  {
    path: '/state/basic?forced',
    title: 'HTTP authentication in a browser, without a prompt',
    options: { forceHeadless: true },
    expect: trapFailure('http_error'),
    needs: 'any',
  },
  {
    path: '/wall/login',
    title: 'a login page, which is a page',
    expect: complete('Sign in to your account'),
    needs: 'plain',
  },
  {
    path: '/wall/form-with-captcha',
    title: 'an article with a captcha in its contact form',
    expect: complete(articleMarker('wall-form-with-captcha')),
    needs: 'plain',
  },
  {
    path: '/wall/article-on-captchas',
    title: 'an article that quotes what walls say',
    expect: complete(articleMarker('wall-article-on-captchas')),
    needs: 'plain',
  },
  {
    path: '/private/x',
    title: 'a page that robots.txt forbids',
    expect: { status: 422, errorIncludes: 'robots.txt forbids this page' },
    needs: 'any',
  },
];
