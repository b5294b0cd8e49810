import type { Route } from './route.ts';
import { accountRoutes } from './routes/account.ts';
import { audienceRoutes } from './routes/audience.ts';
import { automationRunRoutes } from './routes/automationRuns.ts';
import { automationSimulationRoutes } from './routes/automationSimulation.ts';
import { automationRoutes } from './routes/automations.ts';
import { campaignDraftRoutes } from './routes/campaignDrafts.ts';
import { campaignMessageRoutes } from './routes/campaignMessages.ts';
import { campaignOutcomeRoutes } from './routes/campaignOutcome.ts';
import { campaignSteeringRoutes } from './routes/campaignSteering.ts';
import { campaignRoutes } from './routes/campaigns.ts';
import { domainRoutes } from './routes/domains.ts';
import { emailRecordRoutes } from './routes/emailRecords.ts';
import { emailRoutes } from './routes/emails.ts';
import { eventRoutes } from './routes/events.ts';
import { formRoutes } from './routes/form.ts';
import { importRoutes } from './routes/imports.ts';
import { jobRoutes } from './routes/jobs.ts';
import { keyRoutes } from './routes/keys.ts';
import { preferenceRoutes } from './routes/preferences.ts';
import { segmentRoutes } from './routes/segments.ts';
import { senderRoutes } from './routes/senders.ts';
import { subscriberRoutes } from './routes/subscribers.ts';
import { suppressionRoutes } from './routes/suppression.ts';
import { templateRoutes } from './routes/templates.ts';
import { topicRoutes } from './routes/topics.ts';
import { uploadRoutes } from './routes/uploads.ts';
import { webhookRoutes } from './routes/webhooks.ts';

/** All routes of the REST API. */
export const routes: readonly Route[] = [
  ...accountRoutes,
  ...emailRoutes,
  ...emailRecordRoutes,
  ...subscriberRoutes,
  ...preferenceRoutes,
  ...eventRoutes,
  ...importRoutes,
  ...jobRoutes,
  ...formRoutes,
  ...suppressionRoutes,
  ...segmentRoutes,
  ...topicRoutes,
  ...campaignRoutes,
  ...campaignDraftRoutes,
  ...campaignMessageRoutes,
  ...campaignSteeringRoutes,
  ...campaignOutcomeRoutes,
  ...automationRoutes,
  ...automationRunRoutes,
  ...automationSimulationRoutes,
  ...templateRoutes,
  ...uploadRoutes,
  ...audienceRoutes,
  ...webhookRoutes,
  ...domainRoutes,
  ...senderRoutes,
  ...keyRoutes,
];
