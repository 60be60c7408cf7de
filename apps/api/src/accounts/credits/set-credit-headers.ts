import type { ApiResponseOptions } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { CreditUse } from '@app/accounts';

/** The headers of {@link setCreditHeaders}, for the documentation. */
export const CREDIT_HEADERS = {
  'X-Credits-Consumed': {
    description: 'The cost of the call; 0 if it returned no data.',
    schema: { type: 'integer', minimum: 0 },
  },
  'X-Credits-Remaining': {
    description:
      'Prepaid credits left for this operation: the scrape pool, and for enrichments and brands also the enrich pool. Absent if the plan is unlimited or the call is free.',
    schema: { type: 'integer', minimum: 0 },
  },
} satisfies ApiResponseOptions['headers'];

/** Specification: Limits, "Credit cost per call". */
export function setCreditHeaders(reply: FastifyReply, { credits, remaining }: CreditUse): void {
  void reply.header('x-credits-consumed', credits);
  if (remaining !== null) void reply.header('x-credits-remaining', remaining);
}
