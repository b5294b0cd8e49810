import * as z from 'zod';
import { readNames, withNameRules } from '../../../shared/contract/fieldNames.ts';
import { createCampaignRequest } from '../../../shared/contract/schemas/campaignRequest.ts';
import { sendCampaignRequest } from '../../../shared/contract/schemas/campaignSend.ts';
import { sendEmailRequest } from '../../../shared/contract/schemas/emailRequest.ts';

const words = (text: string) => text.trim().split(/\s+/);

/** The lists of the interface, and spellings that were seen to send a campaign to everybody. */
const test = words(`dryrun dry test testmode istest testonly simulate simulation preview validate validateonly draft
  check mock sandbox essai nosend noop dryRun dry-run DRY_RUN TEST Test SIMULATE Simulate PREVIEW is_test isTest
  validate_only test_send sendTest drafts Simulations DRY.RUN mode live debug pretend what_if as_test`);
const people = words(`to recipient recipientlist email emailaddress toemail emailto toaddress sendto address adresse
  destinataire audience contact subscriber abonne user member people cc bcc list liste listid mailinglist segment
  segmentid topic topicid target only filter tag To TO recipients emails to_emails destinataires adresses DESTINATAIRES
  Audience EMAILS emails_to emailsTo addresses Adresses abonnés segment_id segmentId Segment_id segment_name list_ids
  to[] to[0] recipientEmails contact-list mail receivers rcpt_to customers Empfänger limit sample_size where`).filter(
  (name) => name !== 'to',
);
const time = words(`scheduledat scheduleat schedule sendat sendon sendtime deliverat startat at when date later delay
  scheduled sendafter publishat scheduled_at scheduledAt send_at SendAt SCHEDULED_AT delivery_time send_date startTime not_before
  delay_minutes publish_date`);

const issuesOf = (schema: z.ZodType, names: readonly string[]) =>
  new Map(
    readNames(schema, Object.fromEntries(names.map((name) => [name, 1]))).issues.map(({ path, text }) => [path, text]),
  );

describe('the names of a campaign’s send', () => {
  it.each([
    ['`dry_run`', [...test, 'dry run', ' dry_run ', 'ｄｒｙ＿ｒｕｎ', 'Dry\u200bRun']],
    ['`to`', [...people, 'to ', ' TO', 'ｔｏ', 'tö', 'email adresse']],
    ['`/schedule`', time],
  ])('that could mean %s are refused, and name it in each language', (named, names) => {
    const issues = issuesOf(sendCampaignRequest, names);
    expect(names.filter((name) => !issues.has(name))).toEqual([]);
    for (const { en, fr } of issues.values()) {
      expect(en).toContain(named.replaceAll('`', ''));
      expect(fr).toContain(named.replaceAll('`', ''));
    }
  });

  it.each<[string, object]>([
    ['options.dry_run', { options: { dry_run: true } }],
    ['data.attributes.scheduledAt', { data: { attributes: { scheduledAt: '2030-01-01' } } }],
    ['batch.0.recipients', { batch: [{ recipients: ['ada@example.net'] }] }],
  ])('are refused inside the value of an unknown field, too: %s', (path, body) => {
    const { issues, ignored } = readNames(sendCampaignRequest, { ...body, note: { by: 'Ada' } });
    expect(issues.map((issue) => issue.path)).toEqual([path]);
    expect(ignored).toEqual(['note']);
  });

  it('that mean nothing are ignored and reported', () => {
    const others = words(`subject note foo name id comment html content metadata title from fromName reply_to toto
      campaign_id source created_at updated_at status __proto__ constructor tokens today station contest attest`);
    const given = Object.fromEntries([...others, '', '-', 'x'.repeat(5000)].map((name) => [name, 1]));
    const { fields, issues, ignored } = readNames(sendCampaignRequest, { ...given, to: [], dry_run: true });
    expect(issues).toEqual([]);
    expect(ignored).toEqual(Object.keys(given));
    expect(fields).toEqual({ to: [], dry_run: true });
  });

  it('are all read even if there are half a million, the last of which matters', () => {
    const given = Object.fromEntries([
      ...Array.from({ length: 500_000 }, (_, n) => [`n${n}`, 1]),
      ['Destinataires', 1],
    ]);
    expect(readNames(sendCampaignRequest, given).issues.map(({ path }) => path)).toEqual(['Destinataires']);
    expect(readNames(createCampaignRequest, given).issues).toHaveLength(1000);
  });
});

describe('the names of a draft', () => {
  it.each([
    ['segmentId', 'segment_id'],
    ['segment', 'segment_id'],
    ['Segment_id', 'segment_id'],
    ['list_id', 'segment_id'],
    ['recipients', 'segment_id'],
    ['scheduled_at', '/schedule'],
    ['sendAt', '/schedule'],
    ['abTest', '`ab_test`'],
    ['preHeader', '`preheader`'],
    ['preheadr', '`preheader`'],
    ['fromEmail', '`from`'],
    ['from_name', '`from`'],
    ['Subject', '`subject`'],
    ['replyTo', '`reply_to`'],
    ['topicId', 'topic_id'],
    ['foo', 'name, subject'],
  ])('refuse %s and name %s', (name, named) => {
    const text = issuesOf(createCampaignRequest, [name]).get(name);
    expect(text?.en).toContain(named);
    expect(text?.fr).toContain(named);
  });

  it.each([
    ['ab_test', { variants: [{}, {}], test_share: 0.2, decide_by: 'opens', wait_hours: 1, waitHours: 2 }],
    ['track', { Opens: false }],
    ['template', { id: 'tpl_1', version: 2 }],
    [
      'content',
      [{ type: 'columns', columns: [[{ type: 'button', label: 'L', href: 'https://example.com', url: 'x' }], []] }],
    ],
  ])('are strict inside %s, too', (name, value) => {
    const draft = { name: 'N', subject: 'S', text: 'T', [name]: value };
    const issues = createCampaignRequest.safeParse(draft).error?.issues ?? [];
    expect(issues.some(({ code }) => code === 'unrecognized_keys')).toBe(true);
  });
});

describe('the names of an email', () => {
  const fieldsOf = (given: Record<string, unknown>) => readNames(sendEmailRequest, given);

  it('are taken in any spelling', () => {
    const at = '2026-12-01T09:00:00Z';
    expect(fieldsOf({ scheduledAt: at, TO: 'a@b.example', 'Reply-To': 'c@b.example' }).fields).toEqual({
      scheduled_at: at,
      to: 'a@b.example',
      reply_to: 'c@b.example',
    });
    expect(fieldsOf({ ScheduledAt: at, scheduled_at: null }).fields).toEqual({ scheduled_at: at });
    expect(fieldsOf({ scheduledAt: null, scheduled_at: at }).fields).toEqual({ scheduled_at: at });
  });

  it('may be given twice with the same value only', () => {
    const given = { tags: [{ name: 'a', value: 'b' }], Tags: [{ value: 'b', name: 'a' }], sendAt: 1 };
    expect(fieldsOf(given)).toMatchObject({ issues: [], ignored: ['sendAt'] });
    for (const other of [[{ name: 'a', value: 'c' }], 'x', 0, false]) {
      expect(fieldsOf({ ...given, Tags: other }).issues.map(({ path }) => path)).toEqual(['Tags']);
    }
    expect(fieldsOf({ scheduledAt: 1, scheduled__at: 2 }).issues.map(({ path }) => path)).toEqual(['scheduled__at']);
  });

  it('are ignored and reported if they are not a field', () => {
    expect(fieldsOf({ to: 'a@b.example', sendAt: 1, dry_run: true })).toEqual({
      fields: { to: 'a@b.example' },
      issues: [],
      ignored: ['sendAt', 'dry_run'],
    });
  });
});

describe('a schema without rules', () => {
  it('gets its fields as they are', () => {
    const given = { a: 1, b: 2 };
    expect(readNames(z.object({ a: z.number() }), given)).toEqual({ fields: given, issues: [], ignored: [] });
    const strict = withNameRules(z.object({ a: z.number() }), { unknown: 'refused' });
    expect(readNames(strict, given).issues.map(({ path }) => path)).toEqual(['b']);
  });
});
