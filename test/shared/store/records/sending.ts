import { minuteOf } from '../../../../shared/domain/sending/settlement.ts';
import { beginPart, keepPart, pagesOfParts } from '../../../../shared/store/archive/parts.ts';
import { claimCopying, copiedSince, noteCopied, readProgress } from '../../../../shared/store/archive/progress.ts';
import { pageOfWholeEmails } from '../../../../shared/store/archive/wholeEmails.ts';
import { acceptEnvelope, type Email, getEmail, readEmail } from '../../../../shared/store/emails/email.ts';
import { listingsOf, putListings, statusListing } from '../../../../shared/store/emails/emailLists.ts';
import { claim, isHeld, noteAnswer, noteRefused, takeOver } from '../../../../shared/store/emails/idempotencyClaims.ts';
import { keepNote, outcomeWithStoryOf } from '../../../../shared/store/emails/outcomeEvents.ts';
import { recordCountedOutcome, recordOutcome } from '../../../../shared/store/emails/outcomes.ts';
import {
  addScheduled,
  areAnyWaiting,
  claimScheduled,
  endScheduled,
  getScheduled,
  listDueScheduled,
  type NewScheduledEmail,
  reopenScheduled,
} from '../../../../shared/store/emails/scheduledEmails.ts';
import { getEmailWatermark, raiseEmailWatermark } from '../../../../shared/store/feedbackWatermarks.ts';
import { findUploads, putUpload, takeUploadAllowance } from '../../../../shared/store/files/uploads.ts';
import { findSend, latestAttempt, listSends } from '../../../../shared/store/quota/attempts.ts';
import { getMonth, listDueMonths, putOffMonth } from '../../../../shared/store/quota/months.ts';
import { countLate, giveBack, reserve, reserveBatch } from '../../../../shared/store/quota/reservations.ts';
import { readSettled, settleMinute } from '../../../../shared/store/quota/settlement.ts';
import { listServiceMail, serviceMailPart, takeRequestedConfirmation } from '../../../../shared/store/serviceMail.ts';
import { transact } from '../../../../shared/store/table/transaction.ts';
import { bounceOrComplaintPart, countOpened, listDays } from '../../../../shared/store/usage.ts';
import { at, expiresAt, iso, type RecordKind, seconds, workspaceId } from './recordKind.ts';

const id = 'email_01m7w6c3800000000000000001';
const minute = minuteOf(at);
const content = {
  from: 'Acme <hello@example.com>',
  to: ['Ada <ada@example.net>'],
  cc: ['bob@example.net'],
  bcc: ['eve@example.net'],
  replyTo: ['help@example.com'],
  subject: 'Reçu n° 1',
  tags: [{ name: 'category', value: 'receipt' }],
  template: { id: 'tpl_1', version: 2 },
};
const email: Email = {
  ...content,
  workspaceId,
  id,
  envelopes: [['ada@example.net', 'bob@example.net'], ['eve@example.net']],
  createdAt: iso(0),
  scheduledAt: iso(60),
  expiresAt,
  isQuotaExempt: true,
};
const quota = { recipients: 3, counted: 2 };
const position = { workspaceId, emailId: id, expiresAt };
const accept = () => acceptEnvelope(email, 0, 'ses-1', minute);

const scheduled: NewScheduledEmail = {
  workspaceId,
  id,
  content,
  state: 'scheduled',
  scheduledAt: iso(3600),
  createdAt: iso(0),
  updatedAt: iso(0),
  expiresAt,
  inDoubt: [],
  tries: 0,
};
const due = (count: number) => ({ stage: 'far' as const, at: seconds(count) });
const scheduledId = (number: number) => id.replace(/.$/, String(number));
const numbered = (number: number) => ({ ...scheduled, id: scheduledId(number) });

const key = { workspaceId, keyHash: 'hash' };
const ours = { emailId: id, bodyHash: 'body', claimedAt: at.getTime(), inDoubt: [] };
const refused = [{ index: 3, text: { en: 'no', fr: 'non' } }];

const copiesContent = {
  emails: 2,
  bytes: 300,
  etag: '"tag"',
  filter: new Uint8Array([1, 2, 255]),
  keptUntil: expiresAt,
};

export const sendingKinds: readonly RecordKind[] = [
  {
    name: 'email',
    keys: ['emailKey', 'recipientKey'],
    write: async () => {
      await accept();
      const outcome = { ...position, address: 'ada@example.net', at: seconds(5) };
      await recordOutcome({
        ...{ ...outcome, status: 'delivered', details: { server: 'mx.example.net' } },
        count: { minute, isLate: true },
      });
      await recordCountedOutcome(
        { ...outcome, status: 'bounced', at: seconds(6), details: { code: '5.1.1' } },
        bounceOrComplaintPart(workspaceId, '2026-11-20', { bounced: 1 }),
      );
      await recordOutcome({ ...outcome, status: 'complained', at: seconds(7), details: { type: 'abuse' } });
      const place = { ...position, address: 'bob@example.net' };
      await keepNote(place, { kind: 'delays', at: seconds(1), text: 'busy' });
      for (let open = 0; open < 12; open += 1)
        await keepNote(place, { kind: 'opens', at: seconds(10 + open), text: open === 0 ? 'proxied' : '' });
      await keepNote(place, { kind: 'clicks', at: seconds(30), text: 'https://example.com' });
    },
    read: async () => ({
      whole: await readEmail(workspaceId, id, outcomeWithStoryOf),
      days: await listDays(workspaceId, '2026-11-01'),
    }),
    expected: {
      whole: {
        email,
        messageIds: ['ses-1', undefined],
        paidBy: [minute, undefined],
        outcomes: [
          {
            ...{ email: 'ada@example.net', status: 'complained', updatedAt: iso(7) },
            story: {
              events: [
                { type: 'delivered', at: iso(5), details: { server: 'mx.example.net' }, text: '' },
                { type: 'bounced', at: iso(6), details: { code: '5.1.1' }, text: '' },
                { type: 'complained', at: iso(7), details: { type: 'abuse' }, text: '' },
              ],
              more: 0,
            },
          },
          {
            ...{ email: 'bob@example.net', status: 'sent', updatedAt: iso(1) },
            story: {
              events: [
                { type: 'delays', at: iso(1), details: null, text: 'busy' },
                ...Array.from({ length: 10 }, (_, open) => ({
                  ...{ type: 'opens', at: iso(10 + open), details: null, text: open === 0 ? 'proxied' : '' },
                })),
                { type: 'clicks', at: iso(30), details: null, text: 'https://example.com' },
              ],
              more: 2,
            },
          },
        ],
      },
      days: [{ date: '2026-11-20', sent: 0, delivered: 0, bounced: 1, complained: 0, opened: 0 }],
    },
  },
  {
    name: 'delivery that a minute counts',
    keys: ['recipientKey', 'sendsPartition'],
    random: ['last_take'],
    write: async () => {
      await reserve(email, quota, 100, at, 'only');
      await recordOutcome({
        ...{ ...position, address: 'ada@example.net', status: 'delivered', at: seconds(5) },
        count: { minute, isLate: false },
      });
      await countLate(workspaceId, scheduledId(2), 'late@example.net', at);
      await recordOutcome({
        ...{ ...position, emailId: scheduledId(2), address: 'late@example.net', status: 'delivered', at: seconds(5) },
        count: { minute, isLate: true },
      });
    },
    read: async () => {
      const sends = await listSends(workspaceId, minute);
      return { sends, settled: await readSettled(workspaceId, minute, sends) };
    },
    expected: {
      sends: expect.arrayContaining([
        { kind: 'email', id, envelopes: email.envelopes, isQuotaExempt: true, isLateDelivery: false, ...quota },
        {
          ...{ kind: 'email', id: scheduledId(2), envelopes: [['late@example.net']], isQuotaExempt: false },
          ...{ isLateDelivery: true, recipients: 0, counted: 0 },
        },
      ]),
      settled: { paid: new Map([[id, [0]]]), delivered: 2 },
    },
  },
  {
    name: 'listed email',
    keys: ['emailOfTraitKey'],
    write: async () => {
      await accept();
      await putListings([
        ...listingsOf(email, ['ada@example.net'], { withTags: true }),
        statusListing({ ...position }, 'bounced', email),
      ]);
    },
    read: async () => {
      const listed = async (trait?: Parameters<typeof pageOfWholeEmails>[1]['trait']) =>
        (await pageOfWholeEmails(workspaceId, { trait, limit: 5 }, new Date())).entries.map((entry) => entry.email);
      return {
        all: await listed(),
        to: await listed({ kind: 'recipient', value: 'ada@example.net' }),
        tagged: await listed({ kind: 'tag', value: 'category:receipt' }),
        bounced: await listed({ kind: 'status', value: 'bounced' }),
        single: await getEmail(workspaceId, id),
      };
    },
    expected: (() => {
      const accepted = { email, messageIds: ['ses-1', undefined], paidBy: [minute, undefined], outcomes: [] };
      return { all: [accepted], to: [accepted], tagged: [accepted], bounced: [accepted], single: accepted };
    })(),
  },
  {
    name: 'service mail',
    keys: ['serviceMailKey', 'requestedConfirmationsKey'],
    write: async () => {
      const told = { delivered: 2, bounced: 1, complained: 1 };
      await transact([serviceMailPart(workspaceId, '2026-11-20', told)]);
      await takeRequestedConfirmation(workspaceId, { perMonth: 1, leastPerDay: 1 }, at);
    },
    read: async () => ({
      days: await listServiceMail(workspaceId, '2026-11-01'),
      later: await listServiceMail(workspaceId, '2026-11-21'),
      more: await takeRequestedConfirmation(workspaceId, { perMonth: 1, leastPerDay: 2 }, seconds(60)),
      tooMany: !(await takeRequestedConfirmation(workspaceId, { perMonth: 2, leastPerDay: 2 }, seconds(120))),
    }),
    expected: {
      days: [{ date: '2026-11-20', sent: 3, delivered: 2, bounced: 1, complained: 1 }],
      later: [],
      more: true,
      tooMany: true,
    },
  },
  {
    name: 'month',
    keys: ['monthKey', 'dayKey'],
    random: ['last_take', 'last_return', 'last_opened', 'closer'],
    write: async () => {
      await reserve(email, quota, 100, at, 'only');
      await giveBack(email, minute, { recipients: 1, counted: 1 });
      await reserve({ ...email, id: scheduledId(2) }, quota, 100, seconds(60), 'only');
      await countOpened(workspaceId, '2026-11-20', 4);
      const kept = { recipients: 1, counted: 1, delivered: 1 };
      await settleMinute(await getMonth(workspaceId, '2026-11'), kept, seconds(900));
    },
    read: async () => {
      const read = {
        month: await getMonth(workspaceId, '2026-11'),
        days: await listDays(workspaceId, '2026-11-01'),
        due: await listDueMonths(seconds(3600), 5),
      };
      await putOffMonth({ workspaceId, month: '2026-11' }, seconds(7200));
      return { ...read, later: await listDueMonths(seconds(3600), 5), last: await getMonth(workspaceId, '2026-11') };
    },
    expected: (() => {
      const month = {
        ...{ workspaceId, month: '2026-11', used: 4, lastMinute: minute + 1 },
        minutes: [{ minute: minute + 1, recipients: 3, counted: 2 }],
        days: [
          { date: '2026-11-20', sent: 3, delivered: 0 },
          { date: '2026-11-20', sent: 0, delivered: 1 },
          { date: '2026-11-20', sent: 0, delivered: 2 },
        ],
      };
      return {
        month,
        days: [{ date: '2026-11-20', sent: 3, delivered: 3, bounced: 0, complained: 0, opened: 4 }],
        due: [{ workspaceId, month: '2026-11' }],
        later: [],
        last: month,
      };
    })(),
  },
  {
    name: 'attempt',
    keys: ['sendsPartition'],
    random: ['last_take', 'closer'],
    write: async () => {
      await reserve(email, quota, 100, at, 'first');
      await reserve(email, quota, 100, seconds(60), 'later');
    },
    read: async () => ({
      email: await findSend(workspaceId, minute, id),
      latest: await latestAttempt(workspaceId, minute, id),
      month: (await getMonth(workspaceId, '2026-11')).minutes,
    }),
    expected: {
      email,
      latest: minute + 1,
      month: [
        { minute, recipients: 0, counted: 0 },
        { minute: minute + 1, ...quota },
      ],
    },
  },
  {
    name: 'sheet of attempts',
    keys: ['sendsPartition'],
    random: ['last_take'],
    write: () => reserveBatch(workspaceId, [{ id: 'sheet', attempts: [{ email, quota }] }], 100, at),
    read: async () => ({
      email: await findSend(workspaceId, minute, id, 'sheet'),
      sends: await listSends(workspaceId, minute),
    }),
    expected: {
      email,
      sends: [{ kind: 'email', id, envelopes: email.envelopes, isQuotaExempt: true, isLateDelivery: false, ...quota }],
    },
  },
  {
    name: 'scheduled email',
    keys: ['scheduledKey'],
    random: ['last_claim'],
    write: async () => {
      await addScheduled(scheduled, due(3000));
      const sending = { ...numbered(2), reservedIn: minute };
      await addScheduled(sending, due(3000));
      const claimed = await claimScheduled({ ...sending, isDue: true }, [1], seconds(5), due(3100));
      if (claimed) await reopenScheduled(claimed, false, 2, due(3200));
      const canceled = numbered(3);
      await addScheduled(canceled, due(3000));
      const ending = { reason: 'send_failed', providerCode: 'MessageRejected' } as const;
      await endScheduled({ ...canceled, isDue: true }, ending, seconds(9), due(3300));
    },
    read: async () => ({
      waiting: await getScheduled({ workspaceId, id }),
      reopened: await getScheduled({ workspaceId, id: scheduledId(2) }),
      canceled: await getScheduled({ workspaceId, id: scheduledId(3) }),
      waitsForRate: await areAnyWaiting(workspaceId, [id, scheduledId(2)]),
      due: (await listDueScheduled('far', seconds(3100), 5)).map(({ key, dueAt }) => [key.pk, dueAt]),
      listed: (await pageOfWholeEmails(workspaceId, { limit: 5 }, new Date())).entries.map((entry) => entry.email),
      ofStatus: (
        await pageOfWholeEmails(workspaceId, { limit: 5, trait: { kind: 'status', value: 'canceled' } }, new Date())
      ).entries.map((entry) => entry.email),
    }),
    expected: (() => {
      const waiting = { ...scheduled, isDue: true };
      const sending = { state: 'sending', claimedAt: 0, inDoubt: [1], tries: 2, isDue: true };
      const reopened = { ...numbered(2), ...sending, reservedIn: minute };
      const ended = { state: 'canceled', reason: 'send_failed', providerCode: 'MessageRejected', updatedAt: iso(9) };
      const canceled = { ...numbered(3), ...ended, isDue: true };
      return {
        waiting,
        reopened,
        canceled,
        waitsForRate: true,
        due: [[`WS#${workspaceId}#SCHEDULED#${id}`, seconds(3000)]],
        listed: [canceled, reopened, waiting],
        ofStatus: [canceled],
      };
    })(),
  },
  {
    name: 'claim of an idempotency key',
    keys: ['claimKey'],
    random: ['last_taker'],
    write: async () => {
      await claim(key, ours, at);
      const own = await takeOver(key, ours, [0, 2], seconds(30));
      if (own) await noteRefused(key, own, refused);
      if (own) await noteAnswer(key, own, '{"id":"seg_1"}');
    },
    read: async () => {
      const known = await claim(key, { ...ours, emailId: 'email_2' }, seconds(60));
      return {
        known,
        isHeld: known && (await isHeld(key, known)),
        isFree: await claim(key, { ...ours, emailId: 'email_2' }, seconds(86_400)),
      };
    },
    expected: {
      known: {
        emailId: id,
        bodyHash: 'body',
        claimedAt: seconds(30).getTime(),
        inDoubt: [0, 2],
        refused,
        answer: '{"id":"seg_1"}',
      },
      isHeld: true,
      isFree: null,
    },
  },
  {
    name: 'feedback watermark',
    keys: ['emailWatermarkKey'],
    write: () => raiseEmailWatermark(at),
    read: getEmailWatermark,
    expected: at.getTime(),
  },
  {
    name: 'upload',
    keys: ['uploadItemKey', 'uploadDayKey'],
    random: ['last_announced'],
    write: async () => {
      const upload = { workspaceId, id: 'upl_1', filename: 'a.pdf', bytes: 12, contentType: 'application/pdf' };
      await putUpload({ ...upload, createdAt: at });
      await takeUploadAllowance(workspaceId, 12, { files: 2, bytes: 20 }, at);
    },
    read: async () => ({
      found: [...(await findUploads(workspaceId, ['upl_1'])).values()],
      isLarge: await takeUploadAllowance(workspaceId, 9, { files: 2, bytes: 20 }, at),
      isSmall: await takeUploadAllowance(workspaceId, 8, { files: 2, bytes: 20 }, at),
      isThird: await takeUploadAllowance(workspaceId, 0, { files: 2, bytes: 20 }, at),
    }),
    expected: {
      found: [
        {
          ...{ workspaceId, id: 'upl_1', filename: 'a.pdf', bytes: 12, contentType: 'application/pdf' },
          createdAt: at,
        },
      ],
      isLarge: false,
      isSmall: true,
      isThird: false,
    },
  },
  {
    name: 'copies of emails',
    keys: ['archivePartKey', 'archiveStateKey', 'archiveBeginKey'],
    write: async () => {
      const [first, last] = [`${iso(0)}#email_1`, `${iso(1)}#email_2`];
      const revision = await beginPart(workspaceId, first, last);
      await keepPart({ workspaceId, first }, revision ?? 0, copiesContent);
      await beginPart(workspaceId, `${iso(2)}#email_3`, `${iso(3)}#email_4`);
      await copiedSince(at);
      await claimCopying(workspaceId, 'worker', at);
      await noteCopied(workspaceId, 'worker', { through: last, cleanedOn: '2026-11-20' });
    },
    read: async () => ({
      parts: (await pagesOfParts(workspaceId).next()).value,
      progress: await readProgress([workspaceId]),
      since: await copiedSince(seconds(60)),
    }),
    expected: {
      parts: [
        {
          ...{ workspaceId, first: `${iso(0)}#email_1`, last: `${iso(1)}#email_2`, state: 'kept', revision: 1 },
          ...copiesContent,
        },
        {
          ...{ workspaceId, first: `${iso(2)}#email_3`, last: `${iso(3)}#email_4`, state: 'writing', revision: 1 },
          ...{ emails: 0, bytes: 0, etag: '', filter: new Uint8Array(), keptUntil: 0 },
        },
      ],
      progress: [{ workspaceId, through: `${iso(1)}#email_2`, isOfTable: true, cleanedOn: '2026-11-20' }],
      since: iso(-2 * 86_400),
    },
  },
];
