import type { ApiResponseOptions } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { CreditUse } from '@app/accounts';

/** The headers of {@link setCreditHeaders}, for the answers that have them. */
export const CREDIT_HEADERS = {
  'X-Credits-Consumed': {
    description: 'What the call cost: 0 when it gave no data.',
    schema: { type: 'integer', minimum: 0 },
  },
  'X-Credits-Remaining': {
    description:
      'Prepaid credits left that this operation may draw on: those of the scrape pool, and for enrichments and brands also those of the enrich pool. Absent where nothing bounds them, and where nothing was to be charged.',
    schema: { type: 'integer', minimum: 0 },
  },
} satisfies ApiResponseOptions['headers'];

/** Specification: Limits, "Credit cost per call". */
export function setCreditHeaders(reply: FastifyReply, { credits, remaining }: CreditUse): void {
  void reply.header('x-credits-consumed', credits);
  if (remaining !== null) void reply.header('x-credits-remaining', remaining);
}
