export {
  type DeliveryQuery,
  findDeliveredEvent,
  findDelivery,
  listDeliveries,
  type LoggedAttempt,
  type LoggedDelivery,
  redeliver,
  sweepDeliveries,
} from './delivery-log.js';
export { deliverySql } from './delivery-sql.js';
export { ATTEMPT_ERRORS, DELIVERY_STATES, type DeliveryState, type EndedJob } from './delivery.js';
export type { DelivererOptions } from './deliverer.js';
export {
  countBacklog,
  openDeliverer,
  openWebhookClient,
  sendTestWebhook,
} from './open-deliverer.js';
export { secretHint, secretText } from './sign-webhook.js';
export { readSecrets, showNewSecret, type SigningSecret } from './signing-secrets.js';
