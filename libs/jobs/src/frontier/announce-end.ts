import { deliverySql } from '@app/webhooks';

/**
 * Wraps the UPDATE of one job that ends it, so that the delivery of its event is written by the same
 * statement: there is no moment at which a job has ended and its webhook is not on its way. The unique
 * job of a delivery makes a second terminal event fail its transaction. The wrapped statement returns
 * `id` and `status` of the job, if it moved. A job of /v2 announces only its completion.
 * @param update without RETURNING
 * @param deliveryId the parameter with an id for the delivery, unused when the job has no webhook
 */
export function announcingEnd(update: string, deliveryId: `$${number}`): string {
  return `
    WITH ended AS (
      ${update}
      RETURNING id, tenant_id, status, webhook_url, options
    ), ${deliverySql(`
      SELECT ${deliveryId}::uuid, tenant_id, id, NULL::uuid, webhook_url FROM ended
      WHERE webhook_url IS NOT NULL AND (status = 'completed' OR options -> 'v2' IS NULL)`)}
    SELECT id, status FROM ended`;
}
