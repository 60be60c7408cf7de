import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Refusal, type Plan } from '@app/contracts';
import type { Runtime } from '@app/runtime';
import { provisionKey, type ProvisionOutcome } from '@app/store';
import { InjectRuntime } from '../runtime.token.js';
import { clientNetwork } from './client-network.js';
import type { ProvisionedKey, ProvisionRequest } from './key.dto.js';

const TIER = 'free' satisfies Plan;
const NAME = 'self-serve';
const LABEL = 'first key';
const NOTE =
  'Keep this key: it is shown this once. Send it as the x-api-key header. This account is on the free tier; POST /v1/billing/checkout changes the plan.';

/** Self-serve keys (specification: Key provisioning). */
@Injectable()
export class ProvisionService {
  constructor(@InjectRuntime() private readonly runtime: Runtime) {}

  /** @throws Refusal provision_disabled */
  requireEnabled(): void {
    if (this.runtime.settings.provisionPerIpPerDay === 0) throw new Refusal('provision_disabled');
  }

  async provision(request: FastifyRequest, body: ProvisionRequest): Promise<ProvisionedKey> {
    const outcome = await this.ask(request, body);
    switch (outcome.kind) {
      case 'limited':
        throw new Refusal('provision_limited', {
          limit: this.runtime.settings.provisionPerIpPerDay,
          retryAfterSeconds: outcome.retryAfterSeconds,
        });
      case 'provisioned':
        return { apiKey: outcome.key, tenantId: outcome.tenantId, tier: TIER, note: NOTE };
    }
  }

  private async ask(request: FastifyRequest, body: ProvisionRequest): Promise<ProvisionOutcome> {
    try {
      return await provisionKey(this.runtime.store, {
        network: clientNetwork(request),
        perDay: this.runtime.settings.provisionPerIpPerDay,
        name: body.label ?? NAME,
        label: body.label ?? LABEL,
        email: body.email ?? null,
      });
    } catch (cause) {
      throw new Refusal('auth_unavailable', {}, { cause });
    }
  }
}
