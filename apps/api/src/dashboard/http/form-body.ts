import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Our largest form holds an address. */
const MAX_FORM_BYTES = 16_384;
/** Longest text of one field that is looked at. */
const MAX_FIELD_CHARS = 4_096;

/** Forms are read under /dashboard alone: the API goes on refusing them. */
export function acceptForms(scope: FastifyInstance): void {
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: MAX_FORM_BYTES },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  );
}

/** A field of the form that was sent; '' when there is none, or it is longer than any of ours. */
export function formField({ body }: FastifyRequest, name: string): string {
  const text = body instanceof URLSearchParams ? (body.get(name) ?? '') : '';
  return text.length <= MAX_FIELD_CHARS ? text : '';
}
