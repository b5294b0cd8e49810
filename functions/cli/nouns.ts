import type { Noun } from './action.ts';
import { domainNoun } from './domain.ts';
import { formNoun } from './form.ts';
import { keyNoun } from './key.ts';
import { planNoun } from './plan.ts';
import { segmentNoun } from './segment.ts';
import { senderNoun } from './sender.ts';
import { sendingNoun } from './sending.ts';
import { subscriberNoun } from './subscriber.ts';
import { suppressionNoun } from './suppression.ts';
import { trackingNoun } from './tracking.ts';
import { webhookNoun } from './webhook.ts';
import { workspaceNoun } from './workspace.ts';

/** Everything that the operator can name, in the order of the help. */
export const nouns: readonly Noun[] = [
  workspaceNoun,
  keyNoun,
  domainNoun,
  senderNoun,
  planNoun,
  trackingNoun,
  formNoun,
  sendingNoun,
  subscriberNoun,
  segmentNoun,
  suppressionNoun,
  webhookNoun,
];
