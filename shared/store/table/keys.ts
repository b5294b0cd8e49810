import type { EmailTrait } from '../../domain/sending/emailTrait.ts';
import type { Lane } from '../../domain/webhook/delivery.ts';

/**
 * Every key of the table and nothing else builds one. What each serves and costs: docs/decisions/0002-one-table.md.
 * Parts that come from outside are addresses in their canonical form, ids or hashes, none of which can hold a `#` first
 * and so reach into another partition: each partition key begins with a workspace id or a fixed word.
 */
export type Key = { readonly pk: string; readonly sk: string };

/** One key by its fingerprint, on every call. */
export const apiKeyKey = (fingerprint: string): Key => ({ pk: `KEY#${fingerprint}`, sk: 'KEY' });

/** The keys of a workspace, for the operator's list. */
export const workspaceKeyKey = (workspaceId: string, keyId: string): Key => ({
  pk: `WS#${workspaceId}#KEYS`,
  sk: keyId,
});

/** Calls of one key (or one source address) in one minute. */
export const rateWindowKey = (subject: string, minute: number): Key => ({ pk: `RATE#${subject}`, sk: String(minute) });

/** Settings, domains and senders are read together by one query of this partition. */
export const workspacePartition = (workspaceId: string): string => `WS#${workspaceId}`;
export const workspaceKey = (workspaceId: string): Key => ({ pk: workspacePartition(workspaceId), sk: 'WORKSPACE' });
export const domainKey = (workspaceId: string, domain: string): Key => ({
  pk: workspacePartition(workspaceId),
  sk: `DOMAIN#${domain}`,
});
export const senderKey = (workspaceId: string, address: string): Key => ({
  pk: workspacePartition(workspaceId),
  sk: `SENDER#${address}`,
});

/** All workspaces of the deployment, for the operator and the sweeper. */
export const registerKey = (workspaceId: string): Key => ({ pk: 'WORKSPACES', sk: workspaceId });

/** The workspace behind a public sign-up form. */
export const publicIdKey = (publicId: string): Key => ({ pk: `PUBLIC#${publicId}`, sk: 'PUBLIC' });

/** Counters, apart from what is read on every send. */
export const usagePartition = (workspaceId: string): string => `WS#${workspaceId}#USAGE`;
/** Quota used in a month (`2026-11`), what was sent and delivered on each of its days, and its unsettled minutes. */
export const monthKey = (workspaceId: string, month: string): Key => ({
  pk: usagePartition(workspaceId),
  sk: `MONTH#${month}`,
});
/** Bounces and complaints, by the day (`2026-11-21`) on which they were reported. */
export const dayKey = (workspaceId: string, day: string): Key => ({
  pk: usagePartition(workspaceId),
  sk: `DAY#${day}`,
});

/** Months with minutes to settle, by the time from which the oldest of them may be (`due`). */
export const dueUsageShards = 4;
export const dueUsagePartition = (shard: number): string => `DUE#USAGE#${shard}`;

/** What began in one minute (since the epoch), listed for its settlement; over several partitions, which writes share. */
export const sendShards = 4;
export const sendsPartition = (workspaceId: string, minute: number, shard: number): string =>
  `WS#${workspaceId}#SENDS#${minute}#${shard}`;

/** One email with the outcomes of its recipients, read by one query. */
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

/** One item says that an email belongs to a list of some of them, newest first by the same sort key. */
const traitWords = { recipient: 'TO', tag: 'TAG', status: 'STATUS' } as const;
export const emailsOfTraitPartition = (workspaceId: string, { kind, value }: EmailTrait): string =>
  `${emailsPartition(workspaceId)}#${traitWords[kind]}#${value}`;
export const emailOfTraitKey = (workspaceId: string, trait: EmailTrait, position: string): Key => ({
  pk: emailsOfTraitPartition(workspaceId, trait),
  sk: position,
});

/** An email that goes out at a moment, until it is out. */
export const scheduledKey = (workspaceId: string, emailId: string): Key => ({
  pk: `WS#${workspaceId}#SCHEDULED#${emailId}`,
  sk: 'SCHEDULED',
});
/** Scheduled emails by the time at which they must be queued, and those that were by when they are late (`due`). */
export const dueScheduledShards = 4;
export const dueScheduledPartition = (stage: 'far' | 'queued', shard: number): string =>
  `DUE#${stage === 'far' ? 'SCHEDULED' : 'LATESCHEDULED'}#${shard}`;

/** The claim of an Idempotency-Key, by the hash of the key. */
export const claimKey = (workspaceId: string, keyHash: string): Key => ({
  pk: `WS#${workspaceId}#CLAIM#${keyHash}`,
  sk: 'CLAIM',
});

/** How far the provider's words on messages have come in, for the whole deployment. */
export const heardKey: Key = { pk: 'FEEDBACK', sk: 'HEARD' };

/** A person in a workspace: subscriber and suppression in one item. */
export const addressItemKey = (workspaceId: string, address: string): Key => ({
  pk: `WS#${workspaceId}#ADDRESS#${address}`,
  sk: 'ADDRESS',
});
/** The id of the link by which they leave, beside the person; and the person behind it, for the page. */
export const leaveLinkOfKey = (workspaceId: string, address: string): Key => ({
  pk: `WS#${workspaceId}#ADDRESS#${address}`,
  sk: 'LEAVE',
});
export const leaveLinkKey = (workspaceId: string, linkId: string): Key => ({
  pk: `WS#${workspaceId}#LEAVE#${linkId}`,
  sk: 'LEAVE',
});
/** The same address on the platform's own list. */
export const platformAddressKey = (address: string): Key => ({ pk: `PLATFORM#ADDRESS#${address}`, sk: 'ADDRESS' });

/**
 * What stands against writing to an address, under its salted hash: the platform's suppression once more, so that it is
 * found without the address, and those of workspaces that have erased the person.
 */
export const blockKey = (hash: string): Key => ({ pk: `BLOCK#${hash}`, sk: 'BLOCK' });
/** The salt of these hashes: made once, and never changed. */
export const saltKey: Key = { pk: 'SALT', sk: 'SALT' };
/** Everything of a workspace lies in partitions that begin with this, save what a platform or a stranger looks up. */
export const workspacePrefix = (workspaceId: string): string => `${workspacePartition(workspaceId)}#`;

/** What lies outside of a workspace's own partitions and is found by what it holds. */
export const keysOfWorkspace = { keys: apiKeyKey('').pk, blocks: blockKey('').pk } as const;

/** Workspaces that are being deleted, and when somebody is to go on with it (`due`). */
export const deletionKey = (workspaceId: string): Key => ({ pk: 'DELETIONS', sk: workspaceId });
export const dueDeletionPartition = 'DUE#DELETION';

/** Whom a confirmation link is for, by the id of the request for consent. */
export const confirmLinkKey = (workspaceId: string, confirmationId: string): Key => ({
  pk: `WS#${workspaceId}#CONFIRMATION#${confirmationId}`,
  sk: 'CONFIRMATION',
});

/** The suppression list of a workspace, newest first, in the index `suppressed`. */
export const suppressedPartition = (workspaceId: string): string => `WS#${workspaceId}#SUPPRESSED`;
export const platformSuppressedPartition = 'PLATFORM#SUPPRESSED';

/** The subscribers of a workspace, newest first (`newest`), and those of one status (`status`). */
export const subscribersPartition = (workspaceId: string): string => `WS#${workspaceId}#SUBSCRIBERS`;
export const subscribersOfStatusPartition = (workspaceId: string, status: string): string =>
  `${subscribersPartition(workspaceId)}#${status}`;

/** Whom a campaign may write to, over several partitions so that they are read in parallel (`audience`). */
export const audienceShards = 16;
export const audiencePartition = (workspaceId: string, shard: number): string => `WS#${workspaceId}#AUDIENCE#${shard}`;

/** What the sign-up form of a workspace has said, by version. */
export const formTextKey = (workspaceId: string, version: string): Key => ({
  pk: `WS#${workspaceId}#FORMS`,
  sk: version,
});

/** How the pages of a workspace look: apart from the settings, since a send reads those. */
export const brandKey = (workspaceId: string): Key => ({ pk: `WS#${workspaceId}#BRAND`, sk: 'BRAND' });

/** The segments of a workspace, listed by one query; a campaign reads its own by id. */
export const segmentsPartition = (workspaceId: string): string => `WS#${workspaceId}#SEGMENTS`;
export const segmentKey = (workspaceId: string, segmentId: string): Key => ({
  pk: segmentsPartition(workspaceId),
  sk: segmentId,
});

/**
 * One term that `q` finds a person by, under its first two characters. No term holds a tab, and a tab sorts before what
 * any term holds, so the order of the keys is that of the terms.
 */
export const termPartition = (workspaceId: string, status: string, prefix: string): string =>
  `${termPartitions(workspaceId)}${status}#${prefix}`;
/** How the partitions of all terms begin: five of six items of a workspace of people. */
export const termPartitions = (workspaceId: string): string => `WS#${workspaceId}#TERM#`;
export const termKey = (workspaceId: string, status: string, prefix: string, term: string, address: string): Key => ({
  pk: termPartition(workspaceId, status, prefix),
  sk: `${term}\t${address}`,
});

/** Who has left a kind of mail by its tag (`name:value`): a campaign of that kind reads them once. */
export const leaversPartition = (workspaceId: string, tag: string): string => `WS#${workspaceId}#LEFT#${tag}`;
export const leaverKey = (workspaceId: string, tag: string, address: string): Key => ({
  pk: leaversPartition(workspaceId, tag),
  sk: address,
});

/** Confirmations that were asked for and not sent yet, by the time at which the sweeper looks at them (`due`). */
export const dueConfirmationShards = 4;
export const dueConfirmationPartition = (shard: number): string => `DUE#CONFIRMATION#${shard}`;

/** The webhooks of a workspace, read whole by one query before an event is written; at most 20 and their count. */
export const webhooksPartition = (workspaceId: string): string => `WS#${workspaceId}#WEBHOOKS`;
export const webhookKey = (workspaceId: string, webhookId: string): Key => ({
  pk: webhooksPartition(workspaceId),
  sk: webhookId,
});
export const webhookCountKey = (workspaceId: string): Key => ({ pk: webhooksPartition(workspaceId), sk: 'COUNT' });

/** That people of this workspace were erased: whoever writes events asks about each person then. */
export const erasedMarkKey = (workspaceId: string): Key => ({ pk: webhooksPartition(workspaceId), sk: 'ERASED' });

/** The delivery log of a webhook: a delivery's id sorts by the time of its event. */
export const deliveriesPartition = (workspaceId: string, webhookId: string): string =>
  `WS#${workspaceId}#WEBHOOK#${webhookId}`;
export const deliveryKey = (workspaceId: string, webhookId: string, deliveryId: string): Key => ({
  pk: deliveriesPartition(workspaceId, webhookId),
  sk: deliveryId,
});
/** Beside the log: who is talking to a slow endpoint, and that the webhook was deleted and its log must follow. */
export const slotsKey = (workspaceId: string, webhookId: string): Key => ({
  pk: deliveriesPartition(workspaceId, webhookId),
  sk: 'SLOTS',
});
export const erasureKey = (workspaceId: string, webhookId: string): Key => ({
  pk: deliveriesPartition(workspaceId, webhookId),
  sk: 'ERASURE',
});

/**
 * Attempts that should have happened by a time, erasures too; the sweeper asks for those that are late (`due`), for each
 * lane apart: of a million events that wait for their turn none may hide a live one that was lost.
 */
export const dueDeliveryShards = 4;
export const dueDeliveryPartition = (lane: Lane, shard: number): string =>
  `DUE#${lane === 'live' ? 'DELIVERY' : 'BULKDELIVERY'}#${shard}`;

/** Sign-ups through the public form: of one address (by its hash) or from one network source, in one window. */
export const signUpWindowKey = (subject: string, window: number): Key => ({
  pk: `SIGNUP#${subject}`,
  sk: String(window),
});

/** A campaign, what it says, its runners: small items that are read together or alone, never with its people. */
const campaignPartition = (workspaceId: string, campaignId: string): string =>
  `WS#${workspaceId}#CAMPAIGN#${campaignId}`;
const ofCampaign = (workspaceId: string, campaignId: string, sk: string): Key => ({
  pk: campaignPartition(workspaceId, campaignId),
  sk,
});
export const campaignKey = (workspaceId: string, campaignId: string): Key =>
  ofCampaign(workspaceId, campaignId, 'CAMPAIGN');
/** What its author wrote, in parts. */
export const campaignContentKey = (workspaceId: string, campaignId: string, part: number): Key =>
  ofCampaign(workspaceId, campaignId, `CONTENT#${part}`);
/** What is sent: rendered when the campaign is frozen, by that freeze, variant and part of at most 350 KB. */
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

/**
 * The frozen people of a campaign, what became of them and its counters, over several partitions: one takes 1,000 writes
 * a second, which a campaign at 500 messages a second would exceed.
 */
export const campaignShards = 16;
export const campaignShardPartition = (workspaceId: string, campaignId: string, shard: number): string =>
  `${campaignPartition(workspaceId, campaignId)}#${shard}`;
const padded = (number: number): string => String(number).padStart(6, '0');
/** Chunks are numbered through; neighbours lie in different shards. A freeze that lost leaves chunks that nobody reads. */
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

/** How fast the account may send, and up to which moment its messages are promised: shared by all workers. */
export const paceKey: Key = { pk: 'PACE', sk: 'PACE' };

/** How far the feedback of campaign mail has come. */
export const campaignHeardKey: Key = { pk: 'HEARD', sk: 'CAMPAIGN' };

/** The templates of a workspace, newest first by their ids, and behind them how many there are. */
export const templatesPartition = (workspaceId: string): string => `WS#${workspaceId}#TEMPLATES`;
export const templateKey = (workspaceId: string, templateId: string): Key => ({
  pk: templatesPartition(workspaceId),
  sk: templateId,
});
export const templateCountKey = (workspaceId: string): Key => ({ pk: templatesPartition(workspaceId), sk: '~COUNT' });

/** What a template says, by version: as it was written, and as a send reads it (the newest by one query). */
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
/** Stands before every version of a template that was deleted. */
export const templateEndKey = (workspaceId: string, templateId: string): Key => ({
  pk: templatePartition(workspaceId, templateId),
  sk: `${templateMessagePrefix}~`,
});

/** Files that were announced, for a day. */
export const uploadItemKey = (workspaceId: string, uploadId: string): Key => ({
  pk: `WS#${workspaceId}#UPLOADS`,
  sk: uploadId,
});

/** What was announced on a day (`2026-11-22`); behind every id. */
export const uploadDayKey = (workspaceId: string, day: string): Key => uploadItemKey(workspaceId, `~DAY#${day}`);

/** What was seen of a campaign by the sweeper, which looks after it from time to time (`due`). */
export const watchKey = (workspaceId: string, campaignId: string): Key => ofCampaign(workspaceId, campaignId, 'WATCH');
export const dueWatchShards = 4;
export const dueWatchPartition = (shard: number): string => `DUE#WATCH#${shard}`;

/** Campaigns and runners that something must be done for by a time (`due`). */
export const dueCampaignShards = 4;
export const dueCampaignPartition = (shard: number): string => `DUE#CAMPAIGN#${shard}`;

/** What operators did in a workspace, by the time of it; what they did to the deployment as a whole. */
export const auditPartition = (workspaceId: string | null): string =>
  workspaceId === null ? 'AUDIT' : `WS#${workspaceId}#AUDIT`;
export const auditKey = (workspaceId: string | null, entryId: string): Key => ({
  pk: auditPartition(workspaceId),
  sk: entryId,
});

/** What is done in the background for the operators of a workspace, by the time of it; and what nobody gets on with (`due`). */
export const jobsPartition = (workspaceId: string): string => `WS#${workspaceId}#JOBS`;
export const jobKey = (workspaceId: string, jobId: string): Key => ({ pk: jobsPartition(workspaceId), sk: jobId });
export const dueJobPartition = 'DUE#JOB';

/** A link that signs an operator in to the console, by the hash of its token. */
export const signInKey = (tokenHash: string): Key => ({ pk: `SIGNIN#${tokenHash}`, sk: 'SIGNIN' });
const consolePartition = 'CONSOLE';
/** The count of how often all sessions of the console were ended. */
export const sessionEpochKey: Key = { pk: consolePartition, sk: 'SESSIONS' };
/** Who may sign in, by their address: a few dozen, read by one query. */
export const operatorPrefix = 'OPERATOR#';
export const operatorKey = (email: string): Key => ({ pk: consolePartition, sk: `${operatorPrefix}${email}` });

/** Never written: what a monitor's question reads (`shared/contract/pages.ts` lets it read nothing else). */
export const healthKey: Key = { pk: 'HEALTH', sk: 'HEALTH' };
