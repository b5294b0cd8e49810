import type { ConsolePage } from './call.ts';
import { automationPages } from './sections/automations/automationPages.ts';
import { campaignPages } from './sections/campaigns/campaignPages.ts';
import { domainPages } from './sections/domains/domainPages.ts';
import { emailPages } from './sections/emails/emailPages.ts';
import { overviewPages } from './sections/overview/overviewPages.ts';
import { peoplePages } from './sections/people/peoplePages.ts';
import { queuePages } from './sections/queues/queuePages.ts';
import { segmentPages } from './sections/segments/segmentPages.ts';
import { sendingPages } from './sections/sending/sendingPages.ts';
import { settingsPages } from './sections/settings/settingsPages.ts';
import { suppressionPages } from './sections/suppression/suppressionPages.ts';
import { webhookPages } from './sections/webhooks/webhookPages.ts';

/** Every page of a workspace. */
export const consolePages: readonly ConsolePage[] = [
  ...overviewPages,
  ...sendingPages,
  ...queuePages,
  ...emailPages,
  ...peoplePages,
  ...segmentPages,
  ...campaignPages,
  ...automationPages,
  ...suppressionPages,
  ...webhookPages,
  ...domainPages,
  ...settingsPages,
];
