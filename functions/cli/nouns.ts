import type { Noun } from './action.ts';

/** Everything that the operator can name, in the order of the help; each is loaded when it is needed. */
const nouns: Readonly<Record<string, () => Promise<Noun>>> = {
  workspace: async () => (await import('./nouns/workspace/workspace.ts')).workspaceNoun,
  use: async () => (await import('./nouns/workspace/use.ts')).useNoun,
  key: async () => (await import('./nouns/key.ts')).keyNoun,
  domain: async () => (await import('./nouns/domain.ts')).domainNoun,
  sender: async () => (await import('./nouns/sender.ts')).senderNoun,
  plan: async () => (await import('./nouns/plan.ts')).planNoun,
  tracking: async () => (await import('./nouns/tracking.ts')).trackingNoun,
  kind: async () => (await import('./nouns/people/kind.ts')).kindNoun,
  form: async () => (await import('./nouns/form.ts')).formNoun,
  brand: async () => (await import('./nouns/brand.ts')).brandNoun,
  sending: async () => (await import('./nouns/sending.ts')).sendingNoun,
  subscriber: async () => (await import('./nouns/subscriber.ts')).subscriberNoun,
  person: async () => (await import('./nouns/people/person.ts')).personNoun,
  email: async () => (await import('./nouns/emails/email.ts')).emailNoun,
  template: async () => (await import('./nouns/emails/template.ts')).templateNoun,
  segment: async () => (await import('./nouns/segment.ts')).segmentNoun,
  campaign: async () => (await import('./nouns/campaign/campaign.ts')).campaignNoun,
  suppression: async () => (await import('./nouns/suppression.ts')).suppressionNoun,
  webhook: async () => (await import('./nouns/webhook/webhook.ts')).webhookNoun,
  account: async () => (await import('./nouns/account.ts')).accountNoun,
  operator: async () => (await import('./nouns/operators/operator.ts')).operatorNoun,
  audit: async () => (await import('./nouns/operators/audit.ts')).auditNoun,
  queue: async () => (await import('./nouns/queue.ts')).queueNoun,
  secret: async () => (await import('./nouns/secret.ts')).secretNoun,
};

/** What these words need: the noun that they begin with, or all, so that help and "did you mean" know every one. */
export function nounsFor([first = '']: readonly string[]): Promise<Noun[]> {
  const named = Object.hasOwn(nouns, first) ? nouns[first] : undefined;
  return Promise.all((named ? [named] : Object.values(nouns)).map((load) => load()));
}
