import type { FastifyInstance } from 'fastify';

export const REPORT_PATH = '/dashboard/csp-reports';

/**
 * Allows our pages to load our own style sheet, script and icon, and to connect to us, and
 * nothing else. Scripts must not turn text into markup either (Trusted Types).
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
  `report-uri ${REPORT_PATH}`,
];

/** Headers of every response under /dashboard. */
export function addSecurityHeaders(scope: FastifyInstance, isHttps: boolean): void {
  const headers = {
    'content-security-policy': (isHttps ? [...POLICY, 'report-to csp'] : POLICY).join('; '),
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
