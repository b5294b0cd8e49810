import { apiKeyTranslations } from './apiKeys.ts';
import { automationTranslations } from './automations.ts';
import { broadcastOutcomeTranslations } from './broadcastOutcome.ts';
import { broadcastTranslations } from './broadcasts.ts';
import { contactSegmentTranslations } from './contactSegments.ts';
import { contactTranslations } from './contacts.ts';
import { contactTopicTranslations } from './contactTopics.ts';
import { domainTranslations } from './domains.ts';
import { emailTranslations } from './emails.ts';
import { eventTranslations } from './events.ts';
import { segmentTranslations } from './segments.ts';
import { suppressionTranslations } from './suppressions.ts';
import { templateTranslations } from './templates.ts';
import { topicTranslations } from './topics.ts';
import type { Translation } from './translation.ts';
import { usageTranslations } from './usage.ts';
import { webhookTranslations } from './webhooks.ts';

/** Every call of the client that is answered. */
export const translations: readonly Translation[] = [
  ...emailTranslations,
  ...segmentTranslations,
  ...contactTranslations,
  ...contactSegmentTranslations,
  ...contactTopicTranslations,
  ...topicTranslations,
  ...domainTranslations,
  ...templateTranslations,
  ...webhookTranslations,
  ...suppressionTranslations,
  ...eventTranslations,
  ...usageTranslations,
  ...apiKeyTranslations,
  ...broadcastTranslations,
  ...broadcastOutcomeTranslations,
  ...automationTranslations,
];
