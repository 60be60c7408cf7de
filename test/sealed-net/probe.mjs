// Runs every case it can cover against the built client, guard fully on, with both real resolvers.
import { writeFileSync } from 'node:fs';
import { Deadline } from '../../dist/libs/contracts/src/index.js';
import {
  BlockedUrlError,
  DnsResolver,
  EgressGuard,
  HttpClient,
  HttpFetchError,
  InvalidUrlError,
  SystemResolver,
} from '../../dist/libs/egress/src/index.js';
import { isRight, networkCases, urlOf } from './cases.mjs';

const siteMark = process.env.SEALED_NET_SITE_MARK;

async function outcomeOf(client, one) {
  try {
    const { body } = await client.fetch({
      url: urlOf(one),
      deadline: Deadline.after(5_000),
      maxBytes: 100_000,
    });
    return Buffer.from(body).includes(siteMark) ? 'reached' : 'failed: an answer from elsewhere';
  } catch (error) {
    if (error instanceof BlockedUrlError) return 'blocked';
    if (error instanceof InvalidUrlError) return 'invalid';
    if (error instanceof HttpFetchError && error.cause?.name === 'ResolveError')
      return 'unresolved';
    return `failed: ${error.message}`;
  }
}

const results = [];
for (const resolver of [new SystemResolver(), new DnsResolver()]) {
  const guard = new EgressGuard({ resolver });
  const client = new HttpClient({ guard, userAgent: 'SealedNetProbe/1.0' });
  for (const one of networkCases) {
    const got = await outcomeOf(client, one);
    results.push({
      id: one.id,
      got,
      how: resolver.constructor.name,
      isRight: isRight(one, got),
    });
  }
  await client.close();
}
writeFileSync(process.env.SEALED_NET_REPORT, JSON.stringify(results));
