/**
 * Two steps of a statement that makes events: a delivery of each, and its receiver, of which deliverers are notified. So
 * there is no moment at which something has happened and its webhook is not on its way.
 * @param events SELECT of the id of the delivery, its tenant, the job or null, the event of a feed or null, its address
 */
export function deliverySql(events: string): string {
  return `
    delivery AS (
      INSERT INTO webhook_deliveries (id, tenant_id, job_id, feed_event_id, url, url_key, next_at)
      SELECT id, tenant_id, job_id, feed_event_id, url, sha256(convert_to(url, 'UTF8')), now()
      FROM (${events}) AS t (id, tenant_id, job_id, feed_event_id, url)
      RETURNING tenant_id, receiver
    ), receiver AS (
      INSERT INTO webhook_receivers AS r (tenant_id, receiver, next_at)
      SELECT tenant_id, receiver, now() FROM delivery
      ON CONFLICT (tenant_id, receiver) DO UPDATE SET next_at = least(r.next_at, excluded.next_at)
      RETURNING pg_notify('trawl_webhook', '')
    )`;
}
