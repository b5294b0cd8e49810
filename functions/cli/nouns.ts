import type { Noun } from './action.ts';
import { accountNoun } from './nouns/account.ts';
import { brandNoun } from './nouns/brand.ts';
import { campaignNoun } from './nouns/campaign/campaign.ts';
import { domainNoun } from './nouns/domain.ts';
import { formNoun } from './nouns/form.ts';
import { keyNoun } from './nouns/key.ts';
import { personNoun } from './nouns/people/person.ts';
import { planNoun } from './nouns/plan.ts';
import { queueNoun } from './nouns/queue.ts';
import { secretNoun } from './nouns/secret.ts';
import { segmentNoun } from './nouns/segment.ts';
import { senderNoun } from './nouns/sender.ts';
import { sendingNoun } from './nouns/sending.ts';
import { subscriberNoun } from './nouns/subscriber.ts';
import { suppressionNoun } from './nouns/suppression.ts';
import { trackingNoun } from './nouns/tracking.ts';
import { webhookNoun } from './nouns/webhook/webhook.ts';
import { useNoun } from './nouns/workspace/use.ts';
import { workspaceNoun } from './nouns/workspace/workspace.ts';

/** Everything that the operator can name, in the order of the help. */
export const nouns: readonly Noun[] = [
  workspaceNoun,
  useNoun,
  keyNoun,
  domainNoun,
  senderNoun,
  planNoun,
  trackingNoun,
  formNoun,
  brandNoun,
  sendingNoun,
  subscriberNoun,
  personNoun,
  segmentNoun,
  campaignNoun,
  suppressionNoun,
  webhookNoun,
  accountNoun,
  queueNoun,
  secretNoun,
];
