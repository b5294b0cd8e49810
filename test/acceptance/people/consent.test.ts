import { randomUUID } from 'node:crypto';
import { operatorContext, personContext } from '../../shared/services/context.ts';
import { emailTo } from '../../shared/store/emails/emailTo.ts';
import { call, eventually } from '../client.ts';
import { inbox, received, setFaults } from '../inbox.ts';
import { startService, type TestService } from '../service.ts';
import { newWorkspace, type TestWorkspace } from '../workspace.ts';

let service: TestService;
let workspace: TestWorkspace;
const someone = () => `p${randomUUID().slice(0, 12)}@example.net`;
const minutes = (count: number) => new Date(Date.now() + count * 60_000);

function api(own: { apiKey: string } = workspace) {
  const at = { ...service, apiKey: own.apiKey };
  return {
    add: (body: object) => call(at, 'POST', '/api/v1/subscribers', { body }),
    status: async (email: string) =>
      (await call(at, 'GET', `/api/v1/subscribers/${encodeURIComponent(email)}`)).body.status,
    get: async (email: string) => (await call(at, 'GET', `/api/v1/subscribers/${encodeURIComponent(email)}`)).body,
    remove: (email: string) => call(at, 'DELETE', `/api/v1/subscribers/${encodeURIComponent(email)}`),
    suppression: async (email: string) =>
      (await call(at, 'GET', `/api/v1/suppression?email=${encodeURIComponent(email)}`)).body.data,
    suppress: (email: string, reason: string) => call(at, 'POST', '/api/v1/suppression', { body: { email, reason } }),
    remaining: async () => (await call(at, 'GET', '/api/v1/me')).body.emails_remaining,
    send: (to: string, domain: string) =>
      call(at, 'POST', '/api/v1/emails', { body: { from: `hello@${domain}`, to, subject: 'S', text: 'T' } }),
  };
}

/** The services behind the pages, the worker and the sweeper, on the table of the running service. */
async function inside() {
  Object.assign(process.env, service.environment);
  const [confirm, unsubscribe, signUp, send, sweep, links, save] = await Promise.all([
    import('../../../shared/services/confirmations/confirmByLink.ts'),
    import('../../../shared/services/preferences/unsubscribe.ts'),
    import('../../../shared/services/confirmations/signUp.ts'),
    import('../../../shared/services/confirmations/sendConfirmation.ts'),
    import('../../../shared/services/sweep/requeue.ts'),
    import('../../../shared/services/links.ts'),
    import('../../../shared/services/subscribers/saveSubscriber.ts'),
  ]);
  return { ...confirm, ...unsubscribe, ...signUp, ...send, ...sweep, ...links, ...save };
}

/** The token of the newest confirmation in a mailbox. */
async function tokenFor(email: string): Promise<string> {
  const { mail } = await received(service, email);
  const [, token] = /\/confirm\/([A-Za-z0-9_.-]+)/.exec(mail.text ?? '') ?? [];
  if (!token) throw new Error(`No link in: ${mail.text}`);
  return token;
}

/** Waits until everything that was queued before is handled, by waiting for a later request. */
async function drained(own: TestWorkspace = workspace): Promise<void> {
  const last = someone();
  await api(own).add({ email: last });
  await eventually(async () => (await inbox(service, last)).length > 0);
}

const formText = { text: 'Subscribe to Test', language: 'en' };
const claim = { how: 'api', by: 'key_1' } as const;

const form = async (email: string, over: { firstName?: string; source?: string; workspaceId?: string } = {}) =>
  (await inside()).signUp(personContext(), {
    workspaceId: workspace.workspaceId,
    source: '203.0.113.1',
    formText,
    email,
    ...over,
  });

beforeAll(async () => {
  service = await startService();
  workspace = await newWorkspace(service);
});
afterEach(() => setFaults(service));
afterAll(() => service.stop());

describe('the confirmation message', () => {
  it('comes from the default sender, with an untracked link, and does not count in the quota', async () => {
    const email = someone();
    const before = await api().remaining();
    await api().add({ email });
    const { message, mail, raw } = await received(service, email);
    expect(message.subject).toBe('Confirm your subscription to Test');
    expect(mail.from?.value).toEqual([{ address: `hello@${workspace.domain}`, name: 'Test' }]);
    expect(mail.headers.get('auto-submitted')).toBe('auto-generated');
    const token = await tokenFor(email);
    expect(mail.html).toContain(`href="${service.baseUrl}/confirm/${token}"`);
    expect(raw.toString()).not.toContain('List-Unsubscribe');
    expect(await api().remaining()).toBe(before);
  });

  it('is counted apart from the mail of the workspace, by its outcome', async () => {
    const own = await newWorkspace(service);
    const email = someone();
    await api(own).add({ email });
    await received(service, email);
    const { listDays } = await import('../../../shared/store/usage.ts');
    const { listServiceMail } = await import('../../../shared/store/serviceMail.ts');
    const counted = await eventually(async () => {
      const days = await listServiceMail(own.workspaceId, '2000-01-01');
      return days.length > 0 && days;
    });
    expect(counted).toMatchObject([{ sent: 1, delivered: 1, bounced: 0, complained: 0 }]);
    expect((await listDays(own.workspaceId, '2000-01-01')).every(({ sent, delivered }) => sent + delivered === 0)).toBe(
      true,
    );
  });

  it('is in the language of the workspace', async () => {
    const french = await newWorkspace(service, { language: 'fr' });
    const email = someone();
    await api(french).add({ email });
    const { message, mail } = await received(service, email);
    expect(message.subject).toBe('Confirmez votre abonnement à Test');
    expect(mail.text).toMatch(/sept jours/);
    expect(mail.html).toContain('<html lang="fr">');
  });

  it('is sent once by repeated and concurrent workers', async () => {
    const email = someone();
    const { sendConfirmation, saveSubscriber } = await inside();
    const save = {
      workspaceId: workspace.workspaceId,
      email,
      values: {},
      doubleOptIn: true,
      via: 'api' as const,
      claim,
    };
    await saveSubscriber(save, new Date());
    await Promise.all(Array.from({ length: 10 }, () => sendConfirmation(workspace.workspaceId, email, new Date())));
    await received(service, email);
    for (const later of [0, 2, 5]) await sendConfirmation(workspace.workspaceId, email, minutes(later));
    await drained();
    expect(await inbox(service, email)).toHaveLength(1);
  });

  it('is repeated only after an hour, and the links of both are valid', async () => {
    const email = someone();
    await api().add({ email });
    const first = await tokenFor(email);
    expect((await api().add({ email, firstName: 'A' })).status).toBe(200);
    await drained();
    expect(await inbox(service, email)).toHaveLength(1);
    const { saveSubscriber, confirmSubscriber } = await inside();
    const save = { workspaceId: workspace.workspaceId, email, values: {}, via: 'api' as const, claim };
    await saveSubscriber({ ...save, doubleOptIn: true }, minutes(61));
    await eventually(async () => (await inbox(service, email)).length === 2);
    const second = await tokenFor(email);
    expect(second).toBe(first);
    expect(first).toMatch(/^[\w-]{22}\.[0-9a-z]{26}$/);
    expect(await confirmSubscriber(personContext(minutes(62)), { token: first })).toMatchObject({
      outcome: 'confirmed',
    });
    expect(await confirmSubscriber(personContext(minutes(63)), { token: second })).toMatchObject({
      outcome: 'already_confirmed',
    });
  });

  it('of a suspended workspace waits until the suspension is lifted', async () => {
    const own = await newWorkspace(service);
    const { suspend } = await import('../../../shared/store/workspace/workspaces.ts');
    const { resumeSending } = await import('../../../shared/services/reputation.ts');
    const { sweepDueConfirmations, sendConfirmation } = await inside();
    await suspend(own.workspaceId, { since: new Date().toISOString(), bounceRate: 0.5, complaintRate: 0 });
    const email = someone();
    expect((await api(own).add({ email })).status).toBe(201);
    await drained();
    await sendConfirmation(own.workspaceId, email, new Date());
    expect(await inbox(service, email)).toHaveLength(0);
    await resumeSending(operatorContext(own.workspaceId));
    await sweepDueConfirmations(minutes(70));
    expect(await tokenFor(email)).toBeTruthy();
    await drained();
    expect(await inbox(service, email)).toHaveLength(1);
  });

  it.each(['MessageRejected', 'ExpiredTokenException'])('is tried again after a refusal of SES (%s)', async (name) => {
    const email = someone();
    const { sendConfirmation } = await inside();
    await setFaults(service, { error: { name } });
    await api().add({ email });
    await eventually(async () => (await dueOf(email)) > minutes(30).toISOString());
    await setFaults(service);
    await sendConfirmation(workspace.workspaceId, email, minutes(70));
    await received(service, email);
    expect(await dueOf(email)).toBe('');
  });

  it('is not sent again after a lost answer of SES', async () => {
    const email = someone();
    await setFaults(service, { drop_after_accept: { next: 1 } });
    await api().add({ email });
    await eventually(async () => (await inbox(service, email)).length === 1);
    await eventually(async () => (await dueOf(email)) === '');
    await (await inside()).sendConfirmation(workspace.workspaceId, email, minutes(3));
    expect(await inbox(service, email)).toHaveLength(1);
  });

  describe('with an unknown outcome', () => {
    /** A worker that crashed after its claim, and a second one after SES’s events had been waited for. */
    async function claimed(workers: 1 | 2) {
      const email = someone();
      const { workspaceId } = workspace;
      const { sendConfirmation } = await inside();
      const [{ changePerson }, { claimConfirmation, requestConfirmation }, { newSubscriber }] = await Promise.all([
        import('../../../shared/services/people.ts'),
        import('../../../shared/domain/person/consent.ts'),
        import('../../../shared/domain/person/person.ts'),
      ]);
      const now = new Date();
      const round = await changePerson({ workspaceId, email }, 'api', now, ({ person: nobody }) => {
        const subscriber = newSubscriber('pending', now);
        const person = requestConfirmation({ ...nobody, subscriber }, randomUUID(), now);
        if (!person.confirmation) throw new Error('There is no request for consent.');
        const taken = claimConfirmation(person, person.confirmation, workers === 2, now);
        return { person: taken, result: { person, confirmation: person.confirmation } };
      });
      return {
        ...round,
        due: () => dueOf(email),
        sent: (at: Date) => sendConfirmation(workspaceId, email, at),
        mails: async () => (await inbox(service, email)).length,
      };
    }

    it('is sent once more, five minutes later', async () => {
      const { sent, mails, due } = await claimed(1);
      await sent(minutes(4));
      expect(await mails()).toBe(0);
      await sent(minutes(6));
      expect([await mails(), await due()]).toEqual([1, '']);
    });

    it('is not sent a third time, and is checked each hour until its link expires', async () => {
      const { sent, mails, due } = await claimed(2);
      for (const later of [6, 70, 140]) await sent(minutes(later));
      expect(await mails()).toBe(0);
      expect(Date.parse(await due())).toBeGreaterThan(minutes(190).getTime());
      await sent(minutes(7 * 24 * 60 + 1));
      expect(await due()).toBe('');
    });

    it('is settled when an event of SES about it arrives', async () => {
      const { sent, mails, due, person, confirmation } = await claimed(2);
      const { confirmationEmailId } = await import('../../../shared/services/confirmations/sendConfirmation.ts');
      const { acceptEnvelope } = await import('../../../shared/store/emails/email.ts');
      const id = confirmationEmailId(person, confirmation);
      await acceptEnvelope(emailTo(workspace.workspaceId, [person.email], new Date(), id), 0, 'message', 1);
      await sent(minutes(6));
      expect([await mails(), await due()]).toEqual([0, '']);
    });

    it('is sent when events of SES about later messages show that it was not accepted', async () => {
      const { sent, mails, due } = await claimed(2);
      const { raiseEmailWatermark } = await import('../../../shared/store/feedbackWatermarks.ts');
      await raiseEmailWatermark(minutes(5));
      // While events of the tests before are unread, it is tried again after an hour.
      let later = 6;
      await eventually(async () => {
        await sent(minutes(later));
        later += 61;
        return (await mails()) > 0;
      });
      expect([await mails(), await due()]).toEqual([1, '']);
    });
  });

  it('that cannot be sent is dropped after seven days, with its link', async () => {
    const own = await newWorkspace(service);
    const { suspend } = await import('../../../shared/store/workspace/workspaces.ts');
    const { sendConfirmation } = await inside();
    await suspend(own.workspaceId, { since: new Date().toISOString(), bounceRate: 0.5, complaintRate: 0 });
    const email = someone();
    await api(own).add({ email });
    await sendConfirmation(own.workspaceId, email, minutes(6 * 24 * 60));
    expect(await dueOf(email, own)).not.toBe('');
    await sendConfirmation(own.workspaceId, email, minutes(7 * 24 * 60 + 1));
    expect(await dueOf(email, own)).toBe('');
    expect(await api(own).status(email)).toBe('pending');
    expect(await inbox(service, email)).toHaveLength(0);
  });
});

/** When the sweeper will handle a confirmation; `''` when it will not. */
async function dueOf(email: string, own: TestWorkspace = workspace): Promise<string> {
  const { getAddress } = await import('../../../shared/store/person/people.ts');
  return (await getAddress(own.workspaceId, email)).person.confirmation?.dueAt ?? '';
}

describe('confirming', () => {
  it('needs a POST, subscribes with confirmed_at, and is idempotent', async () => {
    const email = someone();
    await api().add({ email });
    const url = `${service.baseUrl}/confirm/${await tokenFor(email)}`;
    for (const method of ['GET', 'HEAD', 'GET']) await fetch(url, { method });
    expect(await api().status(email)).toBe('pending');
    expect((await fetch(url, { method: 'POST' })).status).toBe(200);
    const record = await api().get(email);
    expect(record).toMatchObject({ status: 'subscribed', confirmed_at: expect.any(String), unsubscribed_at: null });
    expect((await fetch(url, { method: 'POST' })).status).toBe(200);
    expect(await api().get(email)).toEqual(record);
  });

  it('distinguishes expired, tampered, foreign and superseded links', async () => {
    const email = someone();
    const { confirmSubscriber, previewConfirmation, createLinkToken } = await inside();
    await api().add({ email });
    const token = await tokenFor(email);
    const { workspaceId } = workspace;
    const outcome = async (text: string, at = new Date()) => {
      const [preview, result] = [
        await previewConfirmation(personContext(at), { token: text }),
        await confirmSubscriber(personContext(at), { token: text }),
      ];
      expect(preview).toEqual(result);
      return result;
    };
    expect(await outcome(token, minutes(7 * 24 * 60 + 1))).toMatchObject({
      outcome: 'expired',
      workspace: { id: workspaceId },
      email,
    });
    expect(await outcome(`${token}A`)).toEqual({ outcome: 'tampered', workspace: null, email: null });
    const foreign = await createLinkToken('unsubscribe', { workspaceId, email }, new Date());
    expect((await outcome(foreign)).outcome).toBe('tampered');
    const superseded = await createLinkToken('confirm', { workspaceId, email, confirmationId: 'other' }, new Date());
    expect((await outcome(superseded)).outcome).toBe('refused');
    const nobody = await createLinkToken('confirm', { workspaceId, email: someone(), confirmationId: 'x' }, new Date());
    expect((await outcome(nobody)).outcome).toBe('unknown');
    const elsewhere = { workspaceId: 'ws_gone', email, confirmationId: 'x' };
    const gone = await createLinkToken('confirm', elsewhere, new Date());
    expect(await outcome(gone)).toEqual({ outcome: 'unknown', workspace: null, email });
    expect(await api().status(email)).toBe('pending');
  });

  it('is refused after the address complained or bounced', async () => {
    for (const [reason, status] of [
      ['complaint', 'complained'],
      ['bounce', 'bounced'],
    ] as const) {
      const email = someone();
      await api().add({ email });
      const token = await tokenFor(email);
      const { suppress } = await import('../../../shared/services/suppression.ts');
      await suppress(workspace.workspaceId, email, reason, new Date());
      expect(await (await inside()).confirmSubscriber(personContext(), { token })).toMatchObject({
        outcome: 'refused',
      });
      expect(await api().status(email)).toBe(status);
    }
  });
});

describe('proof of consent', () => {
  /** The proof in a person’s export, without the times. */
  async function proofs(email: string): Promise<object[]> {
    await inside();
    const { exportPerson } = await import('../../../shared/services/rights/exportPerson.ts');
    let text = '';
    for await (const piece of exportPerson(operatorContext(workspace.workspaceId), { email })) text += piece.text;
    return JSON.parse(text).consents;
  }

  it('contains the time, way, source and text, and is kept when the person returns', async () => {
    const email = someone();
    const { confirmSubscriber } = await inside();
    await form(email);
    await confirmSubscriber(personContext(), { token: await tokenFor(email), source: '203.0.113.2' });
    await api().remove(email);
    await form(email, { source: '203.0.113.9' });
    await eventually(async () => (await inbox(service, email)).length === 2);
    await confirmSubscriber(personContext(), { token: await tokenFor(email), source: '203.0.113.10' });
    const time = expect.stringMatching(/^20\d\d-.*Z$/);
    const version = expect.stringMatching(/^[0-9a-f]{12}$/);
    const shown = { how: 'form', by: null, form: { version, ...formText }, requested_at: time, at: time };
    expect(await proofs(email)).toEqual([
      { ...shown, source: '203.0.113.1', confirmed_from: '203.0.113.2' },
      { ...shown, source: '203.0.113.9', confirmed_from: '203.0.113.10' },
    ]);
  });

  it('names the key that answered for the consent, and the network address of the confirmation', async () => {
    const [direct, asked] = [someone(), someone()];
    await api().add({ email: direct, double_opt_in: false });
    await api().add({ email: asked });
    const { confirmSubscriber } = await inside();
    await confirmSubscriber(personContext(), { token: await tokenFor(asked), source: '203.0.113.2' });
    const by = expect.stringMatching(/^key_/);
    expect(await proofs(direct)).toEqual([
      expect.objectContaining({ how: 'api', by, requested_at: null, confirmed_from: null }),
    ]);
    expect(await proofs(asked)).toEqual([
      expect.objectContaining({ how: 'api', by, requested_at: expect.any(String), confirmed_from: '203.0.113.2' }),
    ]);
  });
});

describe('the sign-up form', () => {
  it('stores a pending subscriber with the given names, and the confirmation subscribes them', async () => {
    const email = someone();
    expect(await form(` ${email.toUpperCase()} `, { firstName: 'Ada' })).toEqual({ outcome: 'accepted' });
    const token = await tokenFor(email);
    expect(await api().get(email)).toMatchObject({ status: 'pending', firstName: 'Ada' });
    expect(await (await inside()).confirmSubscriber(personContext(), { token })).toMatchObject({
      outcome: 'confirmed',
    });
    expect(await api().status(email)).toBe('subscribed');
  });

  it('lets a person who left return: nothing changes until they confirm, which lifts the suppression', async () => {
    const email = someone();
    const { confirmSubscriber, createLinkToken, unsubscribeByLink } = await inside();
    await api().add({ email, double_opt_in: false, firstName: 'Ada' });
    const leave = await createLinkToken('unsubscribe', { workspaceId: workspace.workspaceId, email }, new Date());
    expect(await unsubscribeByLink(personContext(), { token: leave })).toMatchObject({
      outcome: 'unsubscribed',
      email,
    });
    expect(await api().suppression(email)).toMatchObject([{ reason: 'unsubscribe', scope: 'organization' }]);
    expect(await form(email, { firstName: 'Mallory' })).toEqual({ outcome: 'accepted' });
    const token = await tokenFor(email);
    expect(await api().get(email)).toMatchObject({ status: 'unsubscribed', firstName: 'Ada' });
    for (const double_opt_in of [true, false]) expect((await api().add({ email, double_opt_in })).status).toBe(409);
    expect((await api().send(email, workspace.domain)).status).toBe(422);
    expect(await confirmSubscriber(personContext(), { token })).toMatchObject({ outcome: 'confirmed' });
    expect(await api().get(email)).toMatchObject({ status: 'subscribed', unsubscribed_at: null });
    expect(await api().suppression(email)).toEqual([]);
    expect((await api().send(email, workspace.domain)).status).toBe(202);
    await unsubscribeByLink(personContext(), { token: leave });
    expect(await confirmSubscriber(personContext(), { token })).toMatchObject({ outcome: 'refused' });
    expect(await api().status(email)).toBe('unsubscribed');
  });

  it('lifts a manual suppression, also of an address without a subscriber', async () => {
    const email = someone();
    await api().suppress(email, 'manual');
    await form(email);
    const token = await tokenFor(email);
    expect(await api().status(email)).toBe('pending');
    expect((await api().add({ email, double_opt_in: false })).status).toBe(422);
    expect(await (await inside()).confirmSubscriber(personContext(), { token })).toMatchObject({
      outcome: 'confirmed',
    });
    expect(await api().suppression(email)).toEqual([]);
  });

  it('has the same outcome for everybody, and sends nothing to subscribed, bounced, complained or platform-suppressed addresses', async () => {
    const { suppress } = await import('../../../shared/services/suppression.ts');
    const [subscribed, bounced, complained, platform] = [someone(), someone(), someone(), someone()];
    for (const email of [subscribed, bounced, complained]) await api().add({ email, double_opt_in: false });
    await suppress(workspace.workspaceId, bounced, 'bounce', new Date());
    await suppress(workspace.workspaceId, complained, 'complaint', new Date());
    await suppress(null, platform, 'bounce', new Date());
    const before = await Promise.all([subscribed, bounced, complained].map(api().get));
    for (const email of [subscribed, bounced, complained, platform]) {
      expect(await form(email)).toEqual({ outcome: 'accepted' });
    }
    await drained();
    expect(await Promise.all([subscribed, bounced, complained].map(api().get))).toEqual(before);
    for (const email of [subscribed, bounced, complained, platform])
      expect(await inbox(service, email)).toHaveLength(0);
  });

  it('sends one confirmation however often it is submitted', async () => {
    const email = someone();
    for (let n = 0; n < 8; n += 1) expect(await form(email)).toEqual({ outcome: 'accepted' });
    await received(service, email);
    await drained();
    expect(await inbox(service, email)).toHaveLength(1);
  });

  it('accepts 30 an hour from one network source, and does not limit others', async () => {
    const { signUp } = await inside();
    const { workspaceId } = workspace;
    const at = new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000);
    const from = (address: string) =>
      signUp(personContext(at), { workspaceId, source: address, formText, email: someone() });
    const answers = [];
    for (let n = 0; n < 31; n += 1) answers.push((await from(`2001:db8::${n}`)).outcome);
    expect(answers.slice(0, 30)).toEqual(answers.slice(0, 30).map(() => 'accepted'));
    expect(await from('2001:db8::ffff')).toEqual({ outcome: 'too_many', retryAfterSeconds: 3600 });
    expect((await from('2001:db8:1::1')).outcome).toBe('accepted');
  });

  it('does not count refused requests against the limit of an address', async () => {
    const { signUp } = await inside();
    const { workspaceId } = workspace;
    const at = new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000);
    const from = (source: string, email: string) => signUp(personContext(at), { workspaceId, source, formText, email });
    const victim = someone();
    for (let n = 0; n < 30; n += 1) await from('2001:db8:2::1', someone());
    for (let n = 0; n < 6; n += 1) expect((await from('2001:db8:2::1', victim)).outcome).toBe('too_many');
    expect((await from('2001:db8:3::1', victim)).outcome).toBe('accepted');
    await received(service, victim);
  });

  it('reports malformed fields and a workspace without a sender, for known and unknown addresses alike', async () => {
    const answer = await form('nobody', { firstName: 'x'.repeat(101) });
    if (answer.outcome !== 'invalid') throw new Error(answer.outcome);
    expect(answer.issues.map(({ path }) => path)).toEqual(['email', 'firstName']);
    const poor = await newWorkspace(service, { sender: false });
    expect(await form(someone(), poor)).toEqual({ outcome: 'unavailable' });
    expect(await form(someone(), { workspaceId: 'ws_unknown' })).toEqual({ outcome: 'unavailable' });
  });
});

describe('unsubscribing by link', () => {
  it('unsubscribes a pending person, withdraws the request for consent, and is idempotent', async () => {
    const email = someone();
    const { createLinkToken, unsubscribeByLink, confirmSubscriber } = await inside();
    await api().add({ email });
    const asked = await tokenFor(email);
    const token = await createLinkToken('unsubscribe', { workspaceId: workspace.workspaceId, email }, new Date());
    await unsubscribeByLink(personContext(), { token });
    const record = await api().get(email);
    expect(record.status).toBe('unsubscribed');
    expect(await unsubscribeByLink(personContext(), { token })).toMatchObject({ outcome: 'unsubscribed' });
    expect(await api().get(email)).toEqual(record);
    expect(await confirmSubscriber(personContext(), { token: asked })).toMatchObject({ outcome: 'refused' });
  });

  it('suppresses an address without stored data; refuses tampered links and unknown workspaces', async () => {
    const email = someone();
    const { createLinkToken, unsubscribeByLink } = await inside();
    const token = await createLinkToken('unsubscribe', { workspaceId: workspace.workspaceId, email }, new Date());
    expect(await unsubscribeByLink(personContext(), { token: token.slice(1) })).toMatchObject({ outcome: 'tampered' });
    expect(await api().suppression(email)).toEqual([]);
    expect(await unsubscribeByLink(personContext(), { token })).toMatchObject({ outcome: 'unsubscribed' });
    expect(await api().suppression(email)).toMatchObject([{ email, reason: 'unsubscribe' }]);
    const foreign = await createLinkToken('unsubscribe', { workspaceId: 'ws_unknown', email }, new Date());
    expect(await unsubscribeByLink(personContext(), { token: foreign })).toMatchObject({ outcome: 'unknown' });
  });
});

describe('feedback changes the status of people', () => {
  it.each([
    ['bounce', 'bounced'],
    ['complaint', 'complained'],
  ] as const)('%s of a single email makes a subscriber %s, and suppresses', async (kind, status) => {
    const own = await newWorkspace(service);
    const email = `${kind}+${randomUUID().slice(0, 8)}@simulator.amazonses.com`;
    await api(own).add({ email, double_opt_in: false });
    expect((await api(own).send(email, own.domain)).status).toBe(202);
    await eventually(async () => (await api(own).status(email)) === status);
    expect(await api(own).suppression(email)).toMatchObject([{ reason: kind, scope: 'organization' }]);
    const again = await api(own).add({ email, double_opt_in: false });
    expect([again.status, again.body.error.details]).toEqual([409, { status }]);
    const listed = await call({ ...service, apiKey: own.apiKey }, 'GET', `/api/v1/subscribers?status=${status}`);
    expect(listed.body.data).toMatchObject([{ email }]);
  });

  it.each([
    ['bounce', 'bounced'],
    ['complaint', 'complained'],
  ] as const)('%s of a confirmation makes the pending subscriber %s', async (kind, status) => {
    const own = await newWorkspace(service);
    const email = `${kind}+${randomUUID().slice(0, 8)}@simulator.amazonses.com`;
    await api(own).add({ email });
    await eventually(async () => (await api(own).status(email)) === status);
    expect(await api(own).suppression(email)).toMatchObject([{ reason: kind }]);
  });

  it('does not affect another workspace', async () => {
    const [own, other] = [await newWorkspace(service), await newWorkspace(service)];
    const email = `bounce+${randomUUID().slice(0, 8)}@simulator.amazonses.com`;
    for (const each of [own, other]) await api(each).add({ email, double_opt_in: false });
    await api(own).send(email, own.domain);
    await eventually(async () => (await api(own).status(email)) === 'bounced');
    expect([await api(other).status(email), await api(other).suppression(email)]).toEqual(['subscribed', []]);
  });
});
