import type { Route } from './route.ts';
import { accountRoute, apiMapRoute, referenceRoutes } from './routes/account.ts';
import { evaluateAudienceRoute } from './routes/audience.ts';
import { getEmailRoute, sendEmailRoute } from './routes/emails.ts';
import {
  deleteSubscriberRoute,
  getSubscriberRoute,
  listSubscribersRoute,
  upsertSubscriberRoute,
} from './routes/subscribers.ts';
import { addSuppressionRoute, listSuppressionRoute } from './routes/suppression.ts';
import {
  createWebhookRoute,
  deleteWebhookRoute,
  getWebhookRoute,
  listDeliveriesRoute,
  listWebhooksRoute,
  replayDeliveryRoute,
  testWebhookRoute,
  updateWebhookRoute,
} from './routes/webhooks.ts';

/** The contract: every endpoint that exists, and none that does not. */
export const routes: readonly Route[] = [
  apiMapRoute,
  accountRoute,
  ...Object.values(referenceRoutes),
  sendEmailRoute,
  getEmailRoute,
  listSubscribersRoute,
  upsertSubscriberRoute,
  getSubscriberRoute,
  deleteSubscriberRoute,
  listSuppressionRoute,
  addSuppressionRoute,
  evaluateAudienceRoute,
  listWebhooksRoute,
  createWebhookRoute,
  getWebhookRoute,
  updateWebhookRoute,
  deleteWebhookRoute,
  testWebhookRoute,
  listDeliveriesRoute,
  replayDeliveryRoute,
];
