import { Injectable } from '@nestjs/common';
import { isId, ApiError } from '@app/contracts';
import type { Runtime } from '@app/runtime';
import { findDelivery, listDeliveries, readSecrets, redeliver, showNewSecret } from '@app/jobs';
import { type Tenant } from '@app/accounts';
import { InjectRuntime } from '../../runtime.token.js';
import { parseDeliveryQuery, type DeliveryQueryText } from './parse-delivery-query.js';
import { presentDelivery, presentSecret, presentShownSecret } from './present-delivery.js';
import type { DeliveryList, DeliveryView, SecretView, ShownSecret } from './webhook.dto.js';

/** The delivery log of a tenant's webhooks, and their signing secrets. */
@Injectable()
export class WebhooksService {
  constructor(@InjectRuntime() private readonly runtime: Pick<Runtime, 'database'>) {}

  async list(tenant: Tenant, text: DeliveryQueryText): Promise<DeliveryList> {
    const query = parseDeliveryQuery(text);
    // One more than shown reveals whether there is a next page.
    const found = await listDeliveries(this.runtime.database, tenant.id, {
      ...query,
      most: query.most + 1,
    });
    const shown = found.slice(0, query.most);
    const next = found.length > shown.length ? (shown.at(-1)?.id ?? null) : null;
    return { deliveries: shown.map(presentDelivery), next };
  }

  /** Another tenant's delivery is reported like an unknown one. */
  async view(tenant: Tenant, id: string): Promise<DeliveryView> {
    const delivery = isId(id) ? await findDelivery(this.runtime.database, tenant.id, id) : null;
    if (!delivery) throw new ApiError('delivery_not_found');
    return presentDelivery(delivery);
  }

  async redeliver(tenant: Tenant, id: string): Promise<DeliveryView> {
    const isKnown = isId(id) && (await redeliver(this.runtime.database, tenant.id, id));
    if (!isKnown) throw new ApiError('delivery_not_found');
    return this.view(tenant, id);
  }

  async secret(tenant: Tenant): Promise<SecretView> {
    const [current, ...previous] = await readSecrets(this.runtime.database, tenant.id);
    if (!current) throw new ApiError('webhook_secret_not_found');
    return presentSecret(current, previous);
  }

  /** See `showNewSecret`: a secret created for the first delivery is shown here too. */
  async newSecret(tenant: Tenant): Promise<ShownSecret> {
    const [current, ...previous] = await showNewSecret(this.runtime.database, tenant.id);
    if (!current) throw new ApiError('webhook_secret_not_found');
    return presentShownSecret(current, previous);
  }
}
