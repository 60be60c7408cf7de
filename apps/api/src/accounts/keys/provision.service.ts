import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ApiError, type Plan } from '@app/contracts';
import type { Runtime } from '@app/runtime';
import { provisionKey, type ProvisionOutcome } from '@app/accounts';
import { InjectRuntime } from '../../runtime.token.js';
import { clientNetwork, networkAround } from './client-network.js';
import type { ProvisionedKey, ProvisionRequest } from './key.dto.js';

type Limited = Extract<ProvisionOutcome, { kind: 'limited' }>;

/** A network is many clients, but may be one in disguise. */
const NETWORK_FACTOR = 4;
const TIER = 'free' satisfies Plan;
const NAME = 'self-serve';
const LABEL = 'first key';
const NOTE =
  'Save this key: it is shown only once. Send it as the x-api-key header. This account is on the free tier; POST /v1/billing/checkout changes the plan.';

/** Self-serve keys (specification: Key provisioning). */
@Injectable()
export class ProvisionService {
  constructor(@InjectRuntime() private readonly runtime: Pick<Runtime, 'database' | 'settings'>) {}

  /** @throws ApiError provision_disabled */
  requireEnabled(): void {
    if (this.runtime.settings.provisionPerIpPerDay === 0) throw new ApiError('provision_disabled');
  }

  async provision(request: FastifyRequest, body: ProvisionRequest): Promise<ProvisionedKey> {
    const outcome = await this.provisionFor(request, body);
    switch (outcome.kind) {
      case 'limited':
        throw this.limited(outcome);
      case 'provisioned':
        return { apiKey: outcome.key, tenantId: outcome.tenantId, tier: TIER, note: NOTE };
    }
  }

  private limited({ bound, retryAfterSeconds }: Limited): ApiError {
    const { provisionPerIpPerDay } = this.runtime.settings;
    return bound === 'client'
      ? new ApiError('provision_limited', { limit: provisionPerIpPerDay, retryAfterSeconds })
      : new ApiError('provision_network_limited', {
          limit: NETWORK_FACTOR * provisionPerIpPerDay,
          retryAfterSeconds,
        });
  }

  private async provisionFor(
    request: FastifyRequest,
    body: ProvisionRequest,
  ): Promise<ProvisionOutcome> {
    const { provisionPerIpPerDay } = this.runtime.settings;
    try {
      const network = clientNetwork(request);
      return await provisionKey(this.runtime.database, {
        client: { network, perDay: provisionPerIpPerDay },
        around: { network: networkAround(network), perDay: NETWORK_FACTOR * provisionPerIpPerDay },
        name: body.label ?? NAME,
        label: body.label ?? LABEL,
        email: body.email ?? null,
      });
    } catch (cause) {
      throw new ApiError('auth_unavailable', {}, { cause });
    }
  }
}
