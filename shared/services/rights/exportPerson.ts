import { slicePositions } from '../../domain/campaign/slice.ts';
import { type AddressReplacer, addressHash, addressReplacer, aliasOf } from '../../domain/person/erased.ts';
import { mailActionOf } from '../../domain/personEvents/mailActivity.ts';
import type { PersonEvent } from '../../domain/personEvents/personEvent.ts';
import { copiesWith } from '../../store/archive/partCare.ts';
import { readWholeEmail } from '../../store/archive/wholeEmails.ts';
import { getCampaign } from '../../store/campaign/campaigns.ts';
import { chunkOf } from '../../store/campaign/frozenContent.ts';
import { readSlices } from '../../store/campaign/slices.ts';
import { type EmailContent, findEmail } from '../../store/emails/email.ts';
import { outcomeWithStoryOf } from '../../store/emails/outcomeEvents.ts';
import { scheduledOf } from '../../store/emails/scheduledEmails.ts';
import { getAddress } from '../../store/person/people.ts';
import {
  type PersonalItem,
  personalItemOf,
  storedFields,
  storedFieldsOfAttempt,
} from '../../store/personalData/personalItem.ts';
import { activityOf, personEventOf } from '../../store/personEvents/personEventRecord.ts';
import { attemptsOf } from '../../store/quota/attempts.ts';
import { ensureSalt } from '../../store/suppression/platformSuppression.ts';
import { deliveryOf } from '../../store/webhook/deliveries.ts';
import { scanWorkspace } from '../../store/workspaceScan.ts';
import { outcomeOfPerson } from '../campaigns/campaignRecipients.ts';
import type { Context } from '../context.ts';
import { recipientEvents } from '../emails/readEmails.ts';
import type { ExportPiece } from '../jobs/exportFile.ts';
import { auditedPieces, personSubject, requireRole } from '../operatorVerb.ts';
import { eventJson } from '../personEvents/listEvents.ts';
import { exportedRun } from '../runs/readRuns.ts';
import { shownDelivery } from '../webhooks/deliveries.ts';
import { personJson } from './showPerson.ts';

/**
 * Everything that a workspace stores about an address (canonical form), as one JSON object: the person, then one record
 * a line in the order of the table. It contains no data of other people.
 */
export async function* exportPerson(
  context: Context,
  { email }: { readonly email: string },
): AsyncGenerator<ExportPiece> {
  requireRole(context, 'change');
  const subject = await personSubject(email);
  yield* auditedPieces(context, { action: 'person.export', subject }, pieces(context, email));
}

async function* pieces(context: Context, email: string): AsyncGenerator<ExportPiece> {
  const { workspaceId, now } = context;
  const salt = await ensureSalt();
  const replacer = addressReplacer(email, aliasOf(addressHash(salt, email)));
  const head = {
    object: 'person_export',
    email,
    workspace_id: workspaceId,
    exported_at: now.toISOString(),
    ...(await personJson(await getAddress(workspaceId, email))),
  };
  yield { text: `${JSON.stringify(head).slice(0, -1)},"records":[`, records: 0 };
  let count = 0;
  function* piecesOf(records: readonly (object | null)[]): Generator<ExportPiece> {
    for (const record of records.filter((one) => one !== null)) {
      yield { text: `${count === 0 ? '' : ','}\n${JSON.stringify(record)}`, records: 1 };
      count += 1;
    }
    yield { text: '', records: 0 };
  }
  const inTable = new Set<string>();
  for await (const { items } of scanWorkspace(workspaceId)) {
    for (const item of items) {
      const personal = await personalItemOf(item, replacer);
      if (personal?.kind === 'email') inTable.add(String(item.email_id));
      yield* piecesOf(personal ? [await recordsOf(context, personal, replacer)].flat() : []);
    }
    yield { text: '', records: 0 };
  }
  // After the table, so that an email that expires there meanwhile is in one of both.
  for await (const copies of copiesWith(workspaceId, email, now)) {
    for (const { items } of copies) {
      if (!items.some((item) => inTable.has(String(item.email_id))))
        yield* piecesOf(await recordsOfCopy(context, items, replacer));
    }
  }
  yield { text: `${count === 0 ? '' : '\n'}]}\n`, records: 0 };
}

/** The records of a copied email. */
async function recordsOfCopy(
  context: Context,
  items: readonly Record<string, unknown>[],
  replacer: AddressReplacer,
): Promise<(object | null)[]> {
  const found = await Promise.all(items.map((item) => personalItemOf(item, replacer)));
  const personal = found.filter((one) => one !== null);
  return (await Promise.all(personal.map((one) => recordsOf(context, one, replacer)))).flat();
}

/** The records of a table item as the person may see them. Fields that are exported as stored come with them. */
async function recordsOf(
  context: Context,
  personal: PersonalItem,
  replacer: AddressReplacer,
): Promise<(object | null) | (object | null)[]> {
  const { kind, item } = personal;
  const { workspaceId } = context;
  const stored = await storedFields(personal, replacer);
  switch (kind) {
    case 'email':
      return emailRecordOf(context, String(item.email_id), stored, replacer);
    case 'attempt':
      return item.late_delivery ? otherRecord(kind, stored) : attemptRecordsOf(workspaceId, item, replacer);
    case 'scheduled':
      return scheduledRecordOf(item, stored, replacer);
    case 'delivery': {
      const delivery = deliveryOf(item);
      return { ...shownDelivery(delivery, context.language), ...stored, event: JSON.parse(delivery.body) };
    }
    case 'chunk':
      return campaignRecordOf(workspaceId, item, stored, replacer);
    case 'personEvent': {
      const event = personEventOf(workspaceId, item);
      // Another person's event, whose data names this one, is theirs.
      return replacer.isAddress(event.email) ? { ...eventRecordOf(event), ...stored } : null;
    }
    case 'activity': {
      const { count, first, last } = activityOf(item);
      const mail = mailActionOf(String(item.name));
      if (mail) return { object: 'mail_activity', mail, last, ...stored };
      return { object: 'event_activity', name: item.name, count, first, last, ...stored };
    }
    case 'run':
      return replacer.isAddress(String(item.email)) ? exportedRun(item) : null;
    case 'runData':
    case 'enrolment':
    case 'waiter':
    case 'change':
    case 'cap':
    case 'externalEvent':
    case 'person':
    case 'confirmLink':
    case 'leaveLink':
    case 'ownLink':
    case 'term':
    case 'outcome':
    case 'listed':
      return otherRecord(kind, stored);
    case 'unknown':
      return { object: 'record', key: String(item.sk), holds: replacer.isIn(item) };
  }
}

function eventRecordOf(event: PersonEvent): object {
  const { object, id, name, data, timestamp, created_at } = eventJson(event);
  return { object, id, name, data, external_id: event.externalId, timestamp, created_at };
}

/** For an item that other records cover; null unless it has fields that are exported as stored. */
const otherRecord = (kind: string, stored: object): object | null =>
  Object.keys(stored).length > 0 ? { object: 'record', of: kind, ...stored } : null;

/** An email as one of its recipients may see it, without the others. */
async function emailRecordOf(
  { workspaceId, now }: Context,
  emailId: string,
  stored: object,
  replacer: AddressReplacer,
): Promise<object | null> {
  const known = await readWholeEmail(workspaceId, emailId, outcomeWithStoryOf, now);
  if (!known) return null;
  const { email, messageIds, outcomes } = known;
  const envelope = email.envelopes.findIndex((addresses) => addresses.some((address) => replacer.isAddress(address)));
  const own = outcomes.find(({ email: address }) => replacer.isAddress(address));
  return {
    object: 'email',
    id: email.id,
    ...stored,
    ...ownAddresses(email, replacer),
    provider_message_id: messageIds[envelope] ?? null,
    status: own?.status ?? (messageIds[envelope] ? 'sent' : null),
    updated_at: own?.updatedAt ?? email.createdAt,
    events: own ? recipientEvents(own) : [],
    events_omitted: own?.story.more ?? 0,
  };
}

/** Attempts at emails whose acceptance by SES is not known. */
export async function attemptRecordsOf(
  workspaceId: string,
  item: Record<string, unknown>,
  replacer: AddressReplacer,
): Promise<object[]> {
  const records = attemptsOf(item).map(async (email, index) => {
    if (!email.envelopes.flat().some((address) => replacer.isAddress(address))) return [];
    if (await findEmail(workspaceId, email.id)) return [];
    const stored = storedFieldsOfAttempt(item, index, replacer);
    return [{ object: 'email_attempt', id: email.id, ...stored, ...ownAddresses(email, replacer) }];
  });
  return (await Promise.all(records)).flat();
}

/** An email that is scheduled, or that was scheduled and never sent. */
function scheduledRecordOf(item: Record<string, unknown>, stored: object, replacer: AddressReplacer): object {
  const { id, content, state } = scheduledOf(item);
  return { object: 'scheduled_email', id, ...stored, ...ownAddresses(content, replacer), status: state };
}

/** The addresses of the person among an email's recipients. */
const ownAddresses = (email: EmailContent, replacer: AddressReplacer) => ({
  as: (['to', 'cc', 'bcc'] as const).filter((field) => email[field].some((entry) => replacer.isAddress(entry))),
  written_as: [...email.to, ...email.cc, ...email.bcc].filter((entry) => replacer.isAddress(entry)),
});

/** The outcome of a campaign for a person; null for recipients that were frozen by another attempt at sending it. */
async function campaignRecordOf(
  workspaceId: string,
  item: Record<string, unknown>,
  stored: object,
  replacer: AddressReplacer,
): Promise<object | null> {
  const { campaignId, freezeId, number, emails } = await chunkOf(item);
  const campaign = await getCampaign({ workspaceId, id: campaignId });
  if (campaign?.freeze?.id !== freezeId) return null;
  const position = emails.findIndex((email) => replacer.isAddress(email));
  const slices = await readSlices({ workspaceId, campaignId, chunk: number });
  const sets = slices[Math.floor(position / slicePositions)]?.sets ?? {};
  const { email, ...outcome } = outcomeOfPerson(emails[position] ?? '', sets, position % slicePositions);
  const { id, name, subject, freeze } = campaign;
  return {
    object: 'campaign_recipient',
    campaign_id: id,
    name,
    subject,
    frozen_at: freeze.at,
    email,
    ...outcome,
    ...stored,
  };
}
