import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { routes } from '../../shared/contract/routes.ts';

const services = join(import.meta.dirname, '..', '..', 'shared', 'services');

/** The actions that the services write into the audit log. */
const actions = new Set(
  globSync('**/*.ts', { cwd: services }).flatMap((path) =>
    [...readFileSync(join(services, path), 'utf8').matchAll(/\baction: '([a-z_]+\.[a-z_.]+)'/g)].map(
      ([, action = '']) => action,
    ),
  ),
);

/** What the console and the command line can do, and the routes by which an application does the same. */
const routesOf: Readonly<Record<string, readonly string[]>> = {
  'automation.create': ['automations.create'],
  'automation.delete': ['automations.delete'],
  'automation.duplicate': ['automations.duplicate'],
  'automation.edit': ['automations.update'],
  'automation.run.cancel': ['automations.runs.cancel'],
  'automation.run.start': ['automations.runs.start'],
  'automation.stop': ['automations.stop'],
  'campaign.archive': ['campaigns.archive'],
  'campaign.cancel': ['campaigns.cancel'],
  'campaign.create': ['campaigns.create'],
  'campaign.delete': ['campaigns.delete'],
  'campaign.duplicate': ['campaigns.duplicate'],
  'campaign.edit': ['campaigns.update'],
  'campaign.pause': ['campaigns.pause'],
  'campaign.recipients': ['campaigns.recipients'],
  'campaign.resume': ['campaigns.resume'],
  'campaign.schedule': ['campaigns.schedule'],
  'campaign.send': ['campaigns.send'],
  'campaign.test': ['campaigns.test'],
  'campaign.unschedule': ['campaigns.unschedule'],
  'domain.add': ['domains.create'],
  'domain.prove': ['domains.verify'],
  'domain.remove': ['domains.delete'],
  'domain.verify': ['domains.verify'],
  'email.cancel': ['emails.cancel'],
  'event.record': ['events.record', 'events.recordBatch', 'events.send'],
  'export.download': ['jobs.get'],
  'form.allow': ['form.update'],
  'form.forbid': ['form.update'],
  'form.set': ['form.update'],
  'import.report': ['jobs.get'],
  'job.cancel': ['jobs.cancel'],
  'key.create': ['keys.create'],
  'key.revoke': ['keys.delete'],
  'kind.set': ['topics.create', 'topics.update'],
  'person.erase': ['subscribers.erase'],
  'person.export': ['subscribers.export'],
  'segment.create': ['segments.create'],
  'segment.delete': ['segments.delete'],
  'segment.edit': ['segments.update'],
  'sender.add': ['senders.create'],
  'sender.remove': ['senders.delete'],
  'subscriber.export': ['exports.create'],
  'subscriber.import': ['imports.start'],
  'subscriber.import.plan': ['imports.create'],
  'subscriber.preferences': ['preferences.update'],
  'subscriber.save': ['subscribers.upsert', 'subscribers.update'],
  'subscriber.unsubscribe': ['subscribers.delete'],
  'suppression.add': ['suppression.add'],
  'template.create': ['templates.create'],
  'template.delete': ['templates.delete'],
  'template.edit': ['templates.update'],
  'topic.create': ['topics.create'],
  'topic.delete': ['topics.delete'],
  'topic.edit': ['topics.update'],
  'webhook.create': ['webhooks.create'],
  'webhook.delete': ['webhooks.delete'],
  'webhook.replay': ['webhooks.replay'],
  'webhook.rotate': ['webhooks.rotate'],
  'webhook.test': ['webhooks.test'],
  'webhook.update': ['webhooks.update'],
};

/** What only a person may do, and why no key can. */
const ofPersonsAlone: Readonly<Record<string, string>> = {
  'brand.set': 'Settings of a workspace have no route yet.',
  'cap.set': 'Settings of a workspace have no route yet.',
  'cap.remove': 'Settings of a workspace have no route yet.',
  'language.set': 'Settings of a workspace have no route yet.',
  'tracking.set': 'Settings of a workspace have no route yet.',
  'workspace.rename': 'Settings of a workspace have no route yet.',
  'plan.set': 'A key cannot raise its own quota.',
  'workspace.create': 'A key belongs to one workspace.',
  'workspace.delete': 'A key cannot end what it belongs to.',
  'form.resume': 'A person decides whether the flood of sign-ups is over.',
  'sending.resume': 'A person decides whether a suspended workspace sends again.',
  'suppression.remove': 'No call brings back who must not be written to.',
  'domain.assign': 'It takes a domain from another workspace.',
  'operator.change': 'Keys never decide who may sign in.',
  'operator.invite': 'Keys never decide who may sign in.',
  'operator.link': 'Keys never decide who may sign in.',
  'operator.remove': 'Keys never decide who may sign in.',
  'operator.sign_in': 'Keys never decide who may sign in.',
  'operator.sign_out': 'Keys never decide who may sign in.',
  'platform_suppression.add': 'It concerns all workspaces.',
  'platform_suppression.remove': 'It concerns all workspaces.',
  'queue.redrive': 'It concerns all workspaces.',
  'restore.check': 'It concerns all workspaces.',
  'secret.rotate': 'It concerns all workspaces.',
  'sending.hold': 'It concerns all workspaces.',
  'sending.release': 'It concerns all workspaces.',
  'throttle.lower': 'It concerns all workspaces.',
  'throttle.restore': 'It concerns all workspaces.',
  'automation.recount': 'It repairs counters after a crash, and runs every night by itself.',
  'webhook.reseal': 'It concerns all workspaces.',
};

/** Routes that write, and are calls of applications by their nature, or only read what their body asks. */
const ofApplications = [
  'audience.evaluate',
  'automations.simulate',
  'automations.simulateDefinition',
  'campaigns.preview',
  'emails.send',
  'emails.sendBatch',
  'emails.update',
  'segments.preview',
  'uploads.create',
];

describe('the verbs of the console and of the command line', () => {
  it('have a route each, or a reason why a key cannot do it', () => {
    expect([...Object.keys(routesOf), ...Object.keys(ofPersonsAlone)].sort()).toEqual([...actions].sort());
    expect(Object.keys(routesOf).filter((action) => action in ofPersonsAlone)).toEqual([]);
  });

  it('are named with routes that exist, and every route that writes is one of them', () => {
    const named = new Set(Object.values(routesOf).flat());
    const ids = routes.map(({ id }) => id);
    expect([...named].filter((id) => !ids.includes(id))).toEqual([]);
    const writing = routes.filter(({ method }) => method !== 'GET').map(({ id }) => id);
    expect(writing.filter((id) => !named.has(id)).sort()).toEqual([...ofApplications].sort());
  });
});
