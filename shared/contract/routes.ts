import type { Route } from './route.ts';
import { accountRoutes } from './routes/account.ts';
import { audienceRoutes } from './routes/audience.ts';
import { campaignRoutes } from './routes/campaigns.ts';
import { domainRoutes } from './routes/domains.ts';
import { emailRecordRoutes } from './routes/emailRecords.ts';
import { batchRoutes } from './routes/emails/batch.ts';
import { scheduledRoutes } from './routes/emails/scheduled.ts';
import { emailRoutes } from './routes/emails.ts';
import { subscriberRoutes } from './routes/subscribers.ts';
import { suppressionRoutes } from './routes/suppression.ts';
import { templateRoutes } from './routes/templates.ts';
import { uploadRoutes } from './routes/uploads.ts';
import { webhookRoutes } from './routes/webhooks.ts';

/** The contract: every endpoint that exists, and none that does not. */
export const routes: readonly Route[] = [
  ...accountRoutes,
  ...emailRoutes,
  ...emailRecordRoutes,
  ...batchRoutes,
  ...scheduledRoutes,
  ...subscriberRoutes,
  ...suppressionRoutes,
  ...campaignRoutes,
  ...templateRoutes,
  ...uploadRoutes,
  ...audienceRoutes,
  ...webhookRoutes,
  ...domainRoutes,
];
