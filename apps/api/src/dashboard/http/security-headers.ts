import type { FastifyInstance } from 'fastify';

export const REPORT_PATH = '/dashboard/csp-reports';

/**
 * Allows our pages to load our own style sheet, script and icon, pictures of pages from our storage or in the page
 * itself, to connect to us, and nothing else. Scripts must not turn text into markup either (Trusted Types).
 */
const policy = (imageOrigin: string | null): readonly string[] => [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  `img-src 'self' data: ${imageOrigin ?? ''}`.trim(),
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
  `report-uri ${REPORT_PATH}`,
];

/**
 * Headers of every response under /dashboard.
 * @param imageOrigin of the storage that signed URLs of images lead to; null: images come in the page
 */
export function addSecurityHeaders(
  scope: FastifyInstance,
  { isHttps, imageOrigin }: { readonly isHttps: boolean; readonly imageOrigin: string | null },
): void {
  const rules = policy(imageOrigin);
  const headers = {
    'content-security-policy': (isHttps ? [...rules, 'report-to csp'] : rules).join('; '),
    // Browsers that support `report-to` ignore `report-uri`, and send reports over https only.
    ...(isHttps ? { 'reporting-endpoints': `csp="${REPORT_PATH}"` } : {}),
    'x-frame-options': 'DENY',
    // With `no-referrer` a form would be sent with `Origin: null`.
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  };
  scope.addHook('onRequest', async (_request, reply) => {
    reply.headers(headers);
  });
}
