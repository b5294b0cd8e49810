import { shardOf } from '../../domain/encoding.ts';
import type { EmailTrait } from '../../domain/sending/email.ts';
import type { Lane } from '../../domain/webhook/delivery.ts';

/**
 * Builds every key of the table; no other file builds keys. What each is for and costs:
 * docs/design/table.md. Parts that come from outside are canonical addresses, ids or hashes. None can begin
 * with `#` and so reach into another partition: each partition key starts with a workspace id or a fixed word.
 */
export type Key = { readonly pk: string; readonly sk: string };

export type IndexName = 'newest' | 'status' | 'suppressed' | 'audience' | 'due';

/** The attributes by which indexes contain a record; absent while they do not. */
export type Indexed<Name extends IndexName> = { readonly [Attribute in `${Name}_pk` | `${Name}_sk`]?: string };

/**
 * Every kind of work in the index `due`, over how many partitions it is spread, and how long before its time the sweeper
 * looks for it. What is due next is found by this table (`shared/store/dueWork.ts`).
 */
const dueKinds = {
  USAGE: { shards: 4 },
  SCHEDULED: { shards: 4, aheadSeconds: 600 },
  LATESCHEDULED: { shards: 4 },
  CONFIRMATION: { shards: 4 },
  DELIVERY: { shards: 4 },
  BULKDELIVERY: { shards: 4 },
  WATCH: { shards: 4 },
  CAMPAIGN: { shards: 4 },
  DELETION: { shards: null },
  JOB: { shards: null },
  /** Of automations: what a run, a date or a segment will do, what is late, what happened, and jobs. */
  RUN: { shards: 16, aheadSeconds: 600 },
  LATERUN: { shards: 16 },
  ENROLMENT: { shards: 16 },
  CHANGE: { shards: 16 },
  AUTOMATION: { shards: null },
} as const satisfies Readonly<Record<string, DueDefinition>>;

interface DueDefinition {
  readonly shards: number | null;
  readonly aheadSeconds?: number;
}

export type DueKind = keyof typeof dueKinds;

/** The one way to name a partition of `due`: a kind that is not in the table has none. */
function duePartition(kind: DueKind, shard: number | null): string {
  return shard === null ? `DUE#${kind}` : `DUE#${kind}#${shard}`;
}

/** Seconds before its time at which the sweeper looks for work of this kind. */
export function dueAheadSeconds(kind: DueKind): number {
  const kinds: Readonly<Record<DueKind, DueDefinition>> = dueKinds;
  return kinds[kind].aheadSeconds ?? 0;
}

/** Every partition of the index `due`, with its kind. */
export const duePartitions = (): { readonly kind: DueKind; readonly partition: string }[] =>
  (Object.keys(dueKinds) as DueKind[]).flatMap((kind) => {
    const { shards } = dueKinds[kind];
    const numbers = shards === null ? [null] : Array.from({ length: shards }, (_, shard) => shard);
    return numbers.map((shard) => ({ kind, partition: duePartition(kind, shard) }));
  });

/** An API key by its fingerprint, read on every call. */
export const apiKeyKey = (fingerprint: string): Key => ({ pk: `KEY#${fingerprint}`, sk: 'KEY' });

/** The API keys of a workspace, for the operators' list. */
export const workspaceKeyKey = (workspaceId: string, keyId: string): Key => ({
  pk: `WS#${workspaceId}#KEYS`,
  sk: keyId,
});

/** Calls of one source address in one minute, or about domains in one hour. */
export const rateWindowKey = (subject: string, window: number): Key => ({ pk: `RATE#${subject}`, sk: String(window) });

/** Settings, domains and senders are read together by one query of this partition. */
export const workspacePartition = (workspaceId: string): string => `WS#${workspaceId}`;
export const workspaceKey = (workspaceId: string): Key => ({ pk: workspacePartition(workspaceId), sk: 'WORKSPACE' });
export const domainKey = (workspaceId: string, domain: string): Key => ({
  pk: workspacePartition(workspaceId),
  sk: `DOMAIN#${domain}`,
});
/** The holder of a domain in the whole deployment. The labels are reversed, so that subdomains follow their parent. */
export const domainHolderKey = (domain: string): Key => ({ pk: 'DOMAINS', sk: domain.split('.').reverse().join('.') });
export const senderKey = (workspaceId: string, address: string): Key => ({
  pk: workspacePartition(workspaceId),
  sk: `SENDER#${address}`,
});

/** All workspaces of the deployment, for operators and the sweeper. */
export const registerKey = (workspaceId: string): Key => ({ pk: 'WORKSPACES', sk: workspaceId });

/** The workspace behind a public sign-up form. */
export const publicIdKey = (publicId: string): Key => ({ pk: `PUBLIC#${publicId}`, sk: 'PUBLIC' });

/** Counters, separate from what every send reads. */
export const usagePartition = (workspaceId: string): string => `WS#${workspaceId}#USAGE`;
/** Quota used in a month (`2026-11`), single mail sent and delivered by day, and unsettled buckets. */
export const monthKey = (workspaceId: string, month: string): Key => ({
  pk: usagePartition(workspaceId),
  sk: `MONTH#${month}`,
});
/** Bounces and complaints by the day (`2026-11-21`) of their report. */
export const dayKey = (workspaceId: string, day: string): Key => ({
  pk: usagePartition(workspaceId),
  sk: `DAY#${day}`,
});
/** What a campaign sent and had delivered, by the day on which its slices were begun; sorts between two days. */
export const campaignDayKey = (workspaceId: string, day: string, campaignId: string): Key => ({
  pk: usagePartition(workspaceId),
  sk: `DAY#${day}#${campaignId}`,
});

/** Outcomes of the service's own mail, by the day (`2026-11-21`) of the report. */
export const serviceMailKey = (workspaceId: string, day: string): Key => ({
  pk: usagePartition(workspaceId),
  sk: `CONFIRMATIONS#${day}`,
});
/** Confirmations that API keys requested in a month, and on each of its days. */
export const requestedConfirmationsKey = (workspaceId: string, month: string): Key => ({
  pk: usagePartition(workspaceId),
  sk: `CONFIRMATIONBUDGET#${month}`,
});

/** Months with buckets to settle, by the time of the oldest one (`due`). */
export const dueUsageShards = dueKinds.USAGE.shards;
export const dueUsagePartition = (shard: number): string => duePartition('USAGE', shard);

/**
 * The attempts of one settlement bucket (a minute since the epoch), spread over several partitions for the write rate.
 */
export const sendShards = 4;
export const sendsPartition = (workspaceId: string, minute: number, shard: number): string =>
  `WS#${workspaceId}#SENDS#${minute}#${shard}`;

/** One email with the outcomes of its recipients, in one query. */
export const emailPartition = (workspaceId: string, emailId: string): string => `WS#${workspaceId}#EMAIL#${emailId}`;
export const emailKey = (workspaceId: string, emailId: string): Key => ({
  pk: emailPartition(workspaceId, emailId),
  sk: 'EMAIL',
});
export const recipientKey = (workspaceId: string, emailId: string, address: string): Key => ({
  pk: emailPartition(workspaceId, emailId),
  sk: `RECIPIENT#${address}`,
});

/** The emails of a workspace, newest first (`newest`), by `<created>#<email id>`. */
export const emailsPartition = (workspaceId: string): string => `WS#${workspaceId}#EMAILS`;

/** Entries of an email in other lists, newest first, with the same sort key. */
const traitWords = { recipient: 'TO', tag: 'TAG', status: 'STATUS' } as const;
export const emailsOfTraitPartition = (workspaceId: string, { kind, value }: EmailTrait): string =>
  `${emailsPartition(workspaceId)}#${traitWords[kind]}#${value}`;
export const emailOfTraitKey = (workspaceId: string, trait: EmailTrait, position: string): Key => ({
  pk: emailsOfTraitPartition(workspaceId, trait),
  sk: position,
});

/**
 * The copies of emails in the bucket (docs/design/archive.md): an item for each file, by the position of its first email
 * in the list of all emails, and how far the copying has come, which sorts after all of them.
 */
export const archivePartition = (workspaceId: string): string => `WS#${workspaceId}#ARCHIVE`;
export const archivePartKey = (workspaceId: string, first: string): Key => ({
  pk: archivePartition(workspaceId),
  sk: first,
});
export const archiveStateKey = (workspaceId: string): Key => ({ pk: archivePartition(workspaceId), sk: 'STATE' });
/** Since when this deployment copies emails. */
export const archiveBeginKey: Key = { pk: 'ARCHIVE', sk: 'BEGIN' };

/** A scheduled email, until it is sent. */
export const scheduledKey = (workspaceId: string, emailId: string): Key => ({
  pk: `WS#${workspaceId}#SCHEDULED#${emailId}`,
  sk: 'SCHEDULED',
});
/**
 * Scheduled emails by the time at which they must be queued, and queued ones by the time from which they are late
 * (`due`).
 */
export const dueScheduledShards = dueKinds.SCHEDULED.shards;
export const dueScheduledPartition = (stage: 'far' | 'queued', shard: number): string =>
  duePartition(stage === 'far' ? 'SCHEDULED' : 'LATESCHEDULED', shard);

/** The claim of an Idempotency-Key, by the hash of the key. */
export const claimKey = (workspaceId: string, keyHash: string): Key => ({
  pk: `WS#${workspaceId}#CLAIM#${keyHash}`,
  sk: 'CLAIM',
});

/** The feedback watermark of single emails, for the whole deployment. */
export const emailWatermarkKey: Key = { pk: 'FEEDBACK', sk: 'HEARD' };

/** A person in a workspace: subscriber and suppression in one item. */
export const addressItemKey = (workspaceId: string, address: string): Key => ({
  pk: `WS#${workspaceId}#ADDRESS#${address}`,
  sk: 'ADDRESS',
});
/** By address, the id of the person's unsubscribe link; by link, the person. */
export const leaveLinkOfKey = (workspaceId: string, address: string): Key => ({
  pk: `WS#${workspaceId}#ADDRESS#${address}`,
  sk: 'LEAVE',
});
export const leaveLinkKey = (workspaceId: string, linkId: string): Key => ({
  pk: `WS#${workspaceId}#LEAVE#${linkId}`,
  sk: 'LEAVE',
});
/**
 * What a person did, as applications report it: events by the order of their recording, the ids that applications gave
 * them, and the sum of each name, which the index `audience` lists in the order of the audience itself.
 */
export const personEventPrefix = 'EVENT#';
export const personEventKey = (workspaceId: string, address: string, eventId: string): Key => ({
  pk: addressItemKey(workspaceId, address).pk,
  sk: `${personEventPrefix}${eventId}`,
});
export const externalEventKey = (workspaceId: string, address: string, hash: string): Key => ({
  pk: addressItemKey(workspaceId, address).pk,
  sk: `EVENTKEY#${hash}`,
});
export const activityKey = (workspaceId: string, address: string, name: string): Key => ({
  pk: addressItemKey(workspaceId, address).pk,
  sk: `ACTIVITY#${name}`,
});
export const activityPartition = (workspaceId: string, name: string, shard: number): string =>
  `WS#${workspaceId}#ACTIVITY#${name}#${shard}`;
/** The same address on the platform's own list. */
export const platformAddressKey = (address: string): Key => ({ pk: `PLATFORM#ADDRESS#${address}`, sk: 'ADDRESS' });

/**
 * Suppressions under the salted hash of an address: a copy of the platform's entry, so that it is found without the
 * address, and what remains of people whom workspaces have erased.
 */
export const blockKey = (hash: string): Key => ({ pk: `BLOCK#${hash}`, sk: 'BLOCK' });
/** The salt of these hashes: created once and never changed. */
export const saltKey: Key = { pk: 'SALT', sk: 'SALT' };
/** All partitions of a workspace begin with this, except those that are looked up without knowing the workspace. */
export const workspacePrefix = (workspaceId: string): string => `${workspacePartition(workspaceId)}#`;

/** Items outside of a workspace's partitions, which are found by their content. */
export const keysOfWorkspace = { keys: apiKeyKey('').pk, blocks: blockKey('').pk, domains: 'DOMAINS' } as const;

/** Workspaces that are being deleted, by the time at which the deletion continues (`due`). */
export const deletionKey = (workspaceId: string): Key => ({ pk: 'DELETIONS', sk: workspaceId });
export const dueDeletionPartition = /* @__PURE__ */ duePartition('DELETION', null);

/** The person of a confirmation link, by the id of the request for consent. */
export const confirmLinkKey = (workspaceId: string, confirmationId: string): Key => ({
  pk: `WS#${workspaceId}#CONFIRMATION#${confirmationId}`,
  sk: 'CONFIRMATION',
});

/** Unanswered confirmations of a mailbox, by the keyed hash of its address. */
export const mailboxKey = (workspaceId: string, hash: string): Key => ({
  pk: `WS#${workspaceId}#MAILBOX#${hash}`,
  sk: 'MAILBOX',
});

/** The suppression list of a workspace, newest first, in the index `suppressed`. */
export const suppressedPartition = (workspaceId: string): string => `WS#${workspaceId}#SUPPRESSED`;
export const platformSuppressedPartition = 'PLATFORM#SUPPRESSED';

/** The subscribers of a workspace, newest first (`newest`), and those of one status (`status`). */
export const subscribersPartition = (workspaceId: string): string => `WS#${workspaceId}#SUBSCRIBERS`;
export const subscribersOfStatusPartition = (workspaceId: string, status: string): string =>
  `${subscribersPartition(workspaceId)}#${status}`;

/** People whom a campaign may write to, over several partitions so that they are read in parallel (`audience`). */
export const audienceShards = 16;
export const audiencePartition = (workspaceId: string, shard: number): string => `WS#${workspaceId}#AUDIENCE#${shard}`;

/** The texts of a workspace's sign-up form, by version. */
export const formTextKey = (workspaceId: string, version: string): Key => ({
  pk: `WS#${workspaceId}#FORMS`,
  sk: version,
});

/** The brand of a workspace's pages: separate from the settings, which every send reads. */
export const brandKey = (workspaceId: string): Key => ({ pk: `WS#${workspaceId}#BRAND`, sk: 'BRAND' });

/** The segments of a workspace, listed by one query; a campaign reads its own by id. */
export const segmentsPartition = (workspaceId: string): string => `WS#${workspaceId}#SEGMENTS`;
export const segmentKey = (workspaceId: string, segmentId: string): Key => ({
  pk: segmentsPartition(workspaceId),
  sk: segmentId,
});

/**
 * A search term (`q`) of a person, under its first two characters. No term contains a tab, and a tab sorts before all
 * characters of terms, so that keys sort like terms.
 */
export const termPartition = (workspaceId: string, status: string, prefix: string): string =>
  `${termPartitions(workspaceId)}${status}#${prefix}`;
/** The start of the partition keys of all terms: five of six items of a large workspace. */
export const termPartitions = (workspaceId: string): string => `WS#${workspaceId}#TERM#`;
export const termKey = (workspaceId: string, status: string, prefix: string, term: string, address: string): Key => ({
  pk: termPartition(workspaceId, status, prefix),
  sk: `${term}\t${address}`,
});

/** People who have left a topic, by its tag (`name:value`): a campaign of that topic reads them once. */
export const leaversPartition = (workspaceId: string, tag: string): string => `WS#${workspaceId}#LEFT#${tag}`;
export const leaverKey = (workspaceId: string, tag: string, address: string): Key => ({
  pk: leaversPartition(workspaceId, tag),
  sk: address,
});

/** Requested confirmations that are not sent yet, by the time at which the sweeper checks them (`due`). */
export const dueConfirmationShards = dueKinds.CONFIRMATION.shards;
export const dueConfirmationPartition = (shard: number): string => duePartition('CONFIRMATION', shard);

/** The webhooks of a workspace, at most 20 with their count: one query before an event is written. */
export const webhooksPartition = (workspaceId: string): string => `WS#${workspaceId}#WEBHOOKS`;
export const webhookKey = (workspaceId: string, webhookId: string): Key => ({
  pk: webhooksPartition(workspaceId),
  sk: webhookId,
});
export const webhookCountKey = (workspaceId: string): Key => ({ pk: webhooksPartition(workspaceId), sk: 'COUNT' });

/** Marks a workspace that has erased people: from then on, each person of an event is looked up. */
export const erasedMarkKey = (workspaceId: string): Key => ({ pk: webhooksPartition(workspaceId), sk: 'ERASED' });

/** The delivery log of a webhook: the id of a delivery sorts by the time of its event. */
export const deliveriesPartition = (workspaceId: string, webhookId: string): string =>
  `WS#${workspaceId}#WEBHOOK#${webhookId}`;
export const deliveryKey = (workspaceId: string, webhookId: string, deliveryId: string): Key => ({
  pk: deliveriesPartition(workspaceId, webhookId),
  sk: deliveryId,
});
/** Beside the log: the slots of a slow endpoint, and the mark that the webhook was deleted and its log must be. */
export const slotsKey = (workspaceId: string, webhookId: string): Key => ({
  pk: deliveriesPartition(workspaceId, webhookId),
  sk: 'SLOTS',
});
export const erasureKey = (workspaceId: string, webhookId: string): Key => ({
  pk: deliveriesPartition(workspaceId, webhookId),
  sk: 'ERASURE',
});

/**
 * Late attempts, and erasures of logs, by time (`due`). The sweeper queries each lane separately, so that a backlog of
 * a million events cannot hide a lost live one.
 */
export const dueDeliveryShards = dueKinds.DELIVERY.shards;
export const dueDeliveryPartition = (lane: Lane, shard: number): string =>
  duePartition(lane === 'live' ? 'DELIVERY' : 'BULKDELIVERY', shard);

/** Sign-ups through the public form, by address (its hash) or network source, in one window. */
export const signUpWindowKey = (subject: string, window: number): Key => ({
  pk: `SIGNUP#${subject}`,
  sk: String(window),
});

/** A campaign, its content, its runners: small items that are read together or alone, never with its recipients. */
const campaignPartition = (workspaceId: string, campaignId: string): string =>
  `WS#${workspaceId}#CAMPAIGN#${campaignId}`;
const ofCampaign = (workspaceId: string, campaignId: string, sk: string): Key => ({
  pk: campaignPartition(workspaceId, campaignId),
  sk,
});
export const campaignKey = (workspaceId: string, campaignId: string): Key =>
  ofCampaign(workspaceId, campaignId, 'CAMPAIGN');
/** The author's content, in parts. */
export const campaignContentKey = (workspaceId: string, campaignId: string, part: number): Key =>
  ofCampaign(workspaceId, campaignId, `CONTENT#${part}`);
/** The rendered message, by freeze, variant and part of at most 350 KB. */
export const campaignMessageKey = (
  workspaceId: string,
  campaignId: string,
  message: { readonly freezeId: string; readonly variant: number; readonly part: number },
): Key => ofCampaign(workspaceId, campaignId, `MESSAGE#${message.freezeId}#${message.variant}#${message.part}`);
export const runnerKey = (workspaceId: string, campaignId: string, runner: number): Key =>
  ofCampaign(workspaceId, campaignId, `RUNNER#${runner}`);

/** The campaigns of a workspace, newest first (`newest`), and those of one status (`status`). */
export const campaignsPartition = (workspaceId: string): string => `WS#${workspaceId}#CAMPAIGNS`;
export const campaignsOfStatusPartition = (workspaceId: string, status: string): string =>
  `${campaignsPartition(workspaceId)}#${status}`;

/** Campaigns with frozen recipients, newest first by `<frozen>#<campaign id>`, as long as the recipients are stored. */
export const frozenCampaignsPartition = (workspaceId: string): string => `${campaignsPartition(workspaceId)}#FROZEN`;
export const frozenCampaignKey = (workspaceId: string, frozenAt: string, campaignId: string): Key => ({
  pk: frozenCampaignsPartition(workspaceId),
  sk: `${frozenAt}#${campaignId}`,
});

/**
 * The frozen recipients of a campaign, their outcomes and its counters, over several partitions: one takes 1,000 writes
 * a second, which a campaign at 500 messages a second would exceed.
 */
export const campaignShards = 16;
export const campaignShardPartition = (workspaceId: string, campaignId: string, shard: number): string =>
  `${campaignPartition(workspaceId, campaignId)}#${shard}`;
const padded = (number: number): string => String(number).padStart(6, '0');
/**
 * Chunks are numbered consecutively, over the shards in turn. A freeze that lost a race leaves chunks that are never
 * read.
 */
export const chunkKey = (workspaceId: string, campaignId: string, freezeId: string, chunk: number): Key => ({
  pk: campaignShardPartition(workspaceId, campaignId, chunk % campaignShards),
  sk: `CHUNK#${freezeId}#${padded(chunk)}`,
});
/** The slices of a chunk are read by one query. */
export const sliceKey = (workspaceId: string, campaignId: string, chunk: number, slice: number): Key => ({
  pk: campaignShardPartition(workspaceId, campaignId, chunk % campaignShards),
  sk: `SLICE#${padded(chunk)}#${slice}`,
});
export const tallyKey = (workspaceId: string, campaignId: string, shard: number): Key => ({
  pk: campaignShardPartition(workspaceId, campaignId, shard),
  sk: 'TALLY',
});

/** The account's sending rate, and until when slots are taken: shared by all workers. */
export const paceKey: Key = { pk: 'PACE', sk: 'PACE' };

/** Whether the deployment may send, as its operators last said. */
export const sendingKey: Key = { pk: 'SENDING', sk: 'SENDING' };

/** The feedback watermark of campaign mail. */
export const campaignWatermarkKey: Key = { pk: 'HEARD', sk: 'CAMPAIGN' };

/** The templates of a workspace, newest first by id, followed by their count. */
export const templatesPartition = (workspaceId: string): string => `WS#${workspaceId}#TEMPLATES`;
export const templateKey = (workspaceId: string, templateId: string): Key => ({
  pk: templatesPartition(workspaceId),
  sk: templateId,
});
export const templateCountKey = (workspaceId: string): Key => ({ pk: templatesPartition(workspaceId), sk: '~COUNT' });

/** The content of a template by version: as written, and as a send uses it (the newest by one query). */
export const templatePartition = (workspaceId: string, templateId: string): string =>
  `WS#${workspaceId}#TEMPLATE#${templateId}`;
export const templateSourceKey = (workspaceId: string, templateId: string, version: number): Key => ({
  pk: templatePartition(workspaceId, templateId),
  sk: `SOURCE#${padded(version)}`,
});
export const templateMessagePrefix = 'MESSAGE#';
export const templateMessageKey = (workspaceId: string, templateId: string, version: number): Key => ({
  pk: templatePartition(workspaceId, templateId),
  sk: `${templateMessagePrefix}${padded(version)}`,
});
/** Sorts before every version of a deleted template. */
export const templateEndKey = (workspaceId: string, templateId: string): Key => ({
  pk: templatePartition(workspaceId, templateId),
  sk: `${templateMessagePrefix}~`,
});

/** An announced upload, kept for a day. */
export const uploadItemKey = (workspaceId: string, uploadId: string): Key => ({
  pk: `WS#${workspaceId}#UPLOADS`,
  sk: uploadId,
});

/** The uploads announced on a day (`2026-11-22`); sorts after every id. */
export const uploadDayKey = (workspaceId: string, day: string): Key => uploadItemKey(workspaceId, `~DAY#${day}`);

/** The sweeper's record of a campaign, with the time of its next check (`due`). */
export const watchKey = (workspaceId: string, campaignId: string): Key => ofCampaign(workspaceId, campaignId, 'WATCH');
export const dueWatchShards = dueKinds.WATCH.shards;
export const dueWatchPartition = (shard: number): string => duePartition('WATCH', shard);

/** Campaigns and runners by the time at which something must be done (`due`). */
export const dueCampaignShards = dueKinds.CAMPAIGN.shards;
export const dueCampaignPartition = (shard: number): string => duePartition('CAMPAIGN', shard);

/** The heads of a workspace's automations, followed by their count: at most 100, listed by one query. */
export const automationsPartition = (workspaceId: string): string => `WS#${workspaceId}#AUTOMATIONS`;
export const automationKey = (workspaceId: string, automationId: string): Key => ({
  pk: automationsPartition(workspaceId),
  sk: automationId,
});
export const automationCountKey = (workspaceId: string): Key => ({
  pk: automationsPartition(workspaceId),
  sk: '~COUNT',
});

/** What belongs to an automation beside its head, which every wake of a run reads. */
export const automationPartition = (workspaceId: string, automationId: string): string =>
  `WS#${workspaceId}#AUTOMATION#${automationId}`;
/** A definition: each version is written once and never changed. */
export const automationVersionKey = (workspaceId: string, automationId: string, version: number): Key => ({
  pk: automationPartition(workspaceId, automationId),
  sk: `VERSION#${padded(version)}`,
});
/** The head of a deleted automation, whose runs stay readable. */
export const automationEndKey = (workspaceId: string, automationId: string): Key => ({
  pk: automationPartition(workspaceId, automationId),
  sk: 'END',
});

/** The automations that an event or a change starts (`event order_placed`, `tag_added vip`), by one query. */
export const listenersPartition = (workspaceId: string, cause: string): string =>
  `WS#${workspaceId}#LISTENERS#${cause}`;
export const listenerKey = (workspaceId: string, cause: string, automationId: string): Key => ({
  pk: listenersPartition(workspaceId, cause),
  sk: automationId,
});
/**
 * What all automations of a workspace listen to, in the query of its webhooks, which each change of a person makes. Sorts
 * before what releases without automations read, so that they can be rolled back to.
 */
export const listenedKey = (workspaceId: string): Key => ({ pk: webhooksPartition(workspaceId), sk: 'AUTOMATIONS' });

/** The runs and counters of an automation, over several partitions for the write rate. */
export const automationShards = 16;
export const automationShardPartition = (workspaceId: string, automationId: string, shard: number): string =>
  `${automationPartition(workspaceId, automationId)}#${shard}`;
const ofRun = (workspaceId: string, automationId: string, runId: string, kind: string): Key => ({
  pk: automationShardPartition(workspaceId, automationId, shardOf(runId, automationShards)),
  sk: `${kind}#${runId}`,
});
export const runPrefix = 'RUN#';
export const runKey = (workspaceId: string, automationId: string, runId: string): Key =>
  ofRun(workspaceId, automationId, runId, 'RUN');
/** The data of a run that are too large for the item which each rest of the run writes. */
export const runDataKey = (workspaceId: string, automationId: string, runId: string): Key =>
  ofRun(workspaceId, automationId, runId, 'DATA');
export const runTallyPrefix = 'TALLY#';
/** The counters of a version's steps. */
export const runTallyKey = (workspaceId: string, automationId: string, shard: number, version: number): Key => ({
  pk: automationShardPartition(workspaceId, automationId, shard),
  sk: `${runTallyPrefix}${padded(version)}`,
});
/** What the counters have of runs whose records expire. */
export const runTallyBaseKey = (position: Parameters<typeof runTallyKey>): Key => {
  const { pk, sk } = runTallyKey(...position);
  return { pk, sk: `${sk}${runTallyBaseSuffix}` };
};
export const runTallyBaseSuffix = '#BASE';
/** The runs of an automation by status, newest first (`status`). */
export const runsOfStatusPartition = (workspaceId: string, automationId: string, status: string): string =>
  `${automationPartition(workspaceId, automationId)}#RUNS#${status}`;

/** What a person's own partition keeps of automations: erasing and exporting a person is one query. */
export const addressPartition = (workspaceId: string, address: string): string =>
  addressItemKey(workspaceId, address).pk;
const ofPerson = (workspaceId: string, address: string, sk: string): Key => ({
  pk: addressPartition(workspaceId, address),
  sk,
});
/** That a person was in an automation, by the hash of the run key: the open run, the last start, the next date. */
export const enrolmentPrefix = 'ENROLMENT#';
export const enrolmentKey = (workspaceId: string, address: string, automationId: string, runKeyHash: string): Key =>
  ofPerson(workspaceId, address, `${enrolmentPrefix}${automationId}#${runKeyHash}`);
/** A run that waits for an event of the person, or whose goal it is. */
export const waiterPrefix = (event: string): string => `WAIT#${event}#`;
export const waiterKey = (workspaceId: string, address: string, event: string, runId: string): Key =>
  ofPerson(workspaceId, address, `${waiterPrefix(event)}${runId}`);
/** The last messages of automations and campaigns to the person, where the workspace has a frequency cap. */
export const capKey = (workspaceId: string, address: string): Key => ofPerson(workspaceId, address, 'CAP');
/** A change of the person that an automation listens to, until it is acted on. */
export const changeKey = (workspaceId: string, address: string, version: string): Key =>
  ofPerson(workspaceId, address, `CHANGE#${version}`);

/**
 * What automations have to do, by time (`due`): `RUN` must be queued, `LATERUN` was queued and is looked for, `ENROLMENT`
 * is a date or the moment at which a person enters a segment, `CHANGE` is a change not acted on.
 */
export const dueAutomationShards = 16;
const dueWords = { run: 'RUN', queuedRun: 'LATERUN', enrolment: 'ENROLMENT', change: 'CHANGE' } as const;
export const dueAutomationPartition = (stage: keyof typeof dueWords, shard: number): string =>
  duePartition(dueWords[stage], shard);
/** Automations of which a job must end or wake the runs, or look at everybody (`due`). */
export const dueAutomationJobPartition = duePartition('AUTOMATION', null);

/** The actions of operators in a workspace by time; and those about the whole deployment. */
export const auditPartition = (workspaceId: string | null): string =>
  workspaceId === null ? 'AUDIT' : `WS#${workspaceId}#AUDIT`;
export const auditKey = (workspaceId: string | null, entryId: string): Key => ({
  pk: auditPartition(workspaceId),
  sk: entryId,
});

/** Background jobs of a workspace by time; and late ones (`due`). */
export const jobsPartition = (workspaceId: string): string => `WS#${workspaceId}#JOBS`;
export const jobKey = (workspaceId: string, jobId: string): Key => ({ pk: jobsPartition(workspaceId), sk: jobId });
export const dueJobPartition = /* @__PURE__ */ duePartition('JOB', null);

/** A link that signs an operator in to the console, by the hash of its token. */
export const signInKey = (tokenHash: string): Key => ({ pk: `SIGNIN#${tokenHash}`, sk: 'SIGNIN' });
/** A session of the console, by the hash of its token. */
export const sessionKey = (tokenHash: string): Key => ({ pk: `SESSION#${tokenHash}`, sk: 'SESSION' });
const consolePartition = 'CONSOLE';
/** The count of how often all sessions of the console were ended. */
export const sessionEpochKey: Key = { pk: consolePartition, sk: 'SESSIONS' };
/** The operators by address: a few dozen, read by one query. */
export const operatorPrefix = 'OPERATOR#';
export const operatorKey = (email: string): Key => ({ pk: consolePartition, sk: `${operatorPrefix}${email}` });

/** Never written: the item that health checks read (`shared/contract/endpoints.ts` allows them nothing else). */
export const healthKey: Key = { pk: 'HEALTH', sk: 'HEALTH' };

/** What an item is for the check of a restored table, which takes over what happened after its point in time. */
export type RestoredKind =
  | 'person'
  | 'mailbox'
  | 'scheduled'
  | 'apiKey'
  | 'workspace'
  /** Suppressions under the hash of an address. */
  | 'block'
  | 'platformAddress'
  /** What was sent, its outcomes, its entries in lists, events of people, the answers to Idempotency-Keys: only ever added. */
  | 'sent'
  /** The sums of events: the later one is right. */
  | 'activity';

const restoredKinds: readonly (readonly [RestoredKind, RegExp, RegExp])[] = [
  ['person', /^WS#([^#]+)#ADDRESS#/, /^ADDRESS$/],
  ['mailbox', /^WS#([^#]+)#MAILBOX#/, /^MAILBOX$/],
  ['scheduled', /^WS#([^#]+)#SCHEDULED#/, /^SCHEDULED$/],
  ['sent', /^WS#([^#]+)#(?:EMAIL|CLAIM|EMAILS#TO|EMAILS#TAG)#/, /^/],
  ['sent', /^WS#([^#]+)#ARCHIVE$/, /^\d/],
  ['sent', /^WS#([^#]+)#ADDRESS#/, /^EVENT(?:KEY)?#/],
  ['activity', /^WS#([^#]+)#ADDRESS#/, /^ACTIVITY#/],
  ['workspace', /^WS#([^#]+)$/, /^WORKSPACE$/],
  ['apiKey', /^WS#([^#]+)#KEYS$/, /^/],
  ['block', /^BLOCK#/, /^BLOCK$/],
  ['platformAddress', /^PLATFORM#ADDRESS#/, /^ADDRESS$/],
];

/** Null for an item that the check leaves as it is. `workspaceId` is empty for an item of no workspace. */
export function restoredKind({ pk, sk }: Key): { readonly kind: RestoredKind; readonly workspaceId: string } | null {
  for (const [kind, partition, sort] of restoredKinds) {
    const found = partition.exec(pk);
    if (found && sort.test(sk)) return { kind, workspaceId: found[1] ?? '' };
  }
  return null;
}
