import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Our largest form contains a URL. */
const MAX_FORM_BYTES = 16_384;
/** Longest value of a field. */
const MAX_FIELD_CHARS = 4_096;

/** Forms are accepted under /dashboard only: the API continues to reject them. */
export function acceptForms(scope: FastifyInstance): void {
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: MAX_FORM_BYTES },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  );
}

/** What was filled in; nothing if the request has no form. */
export function formValues({ body }: FastifyRequest): URLSearchParams {
  return body instanceof URLSearchParams ? body : new URLSearchParams();
}

/** The value of a form field; '' if it is missing or too long. */
export function formField(request: FastifyRequest, name: string): string {
  const text = formValues(request).get(name) ?? '';
  return text.length <= MAX_FIELD_CHARS ? text : '';
}
