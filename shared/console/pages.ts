import type { ConsolePage } from './call.ts';
import { campaignPages } from './rooms/campaigns/pages.ts';
import { domainPages } from './rooms/domains/pages.ts';
import { emailPages } from './rooms/emails/email.ts';
import { overviewPages } from './rooms/overview/overview.ts';
import { peoplePages } from './rooms/people/pages.ts';
import { queuePages } from './rooms/queues/pages.ts';
import { segmentPages } from './rooms/segments/segments.ts';
import { settingsPages } from './rooms/settings/pages.ts';
import { suppressionPages } from './rooms/suppression/suppression.ts';
import { webhookPages } from './rooms/webhooks/pages.ts';

/** Every page of a workspace; what is not here is not there. */
export const consolePages: readonly ConsolePage[] = [
  ...overviewPages,
  ...queuePages,
  ...emailPages,
  ...peoplePages,
  ...segmentPages,
  ...campaignPages,
  ...suppressionPages,
  ...webhookPages,
  ...domainPages,
  ...settingsPages,
];
