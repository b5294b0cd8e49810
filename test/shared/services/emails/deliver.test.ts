import { createId } from '../../../../shared/domain/identifier.ts';
import type { Workspace } from '../../../../shared/domain/workspace/workspace.ts';
import type { RecipientCheck } from '../../../../shared/services/emails/checks.ts';
import type { KeptEmail, OutgoingEmail, SendAttempt } from '../../../../shared/services/emails/deliver.ts';
import { startProvider, type TestProvider } from '../../platform/aws/provider.ts';
import { aroundCalls } from '../../store/aroundCalls.ts';
import { startTestTable } from '../../store/testTable.ts';

let table: Awaited<ReturnType<typeof startTestTable>>;
let provider: TestProvider;
/** Which request the provider refuses. */
let refusing = 0;
/** From which request on it throttles. */
let throttlingFrom = Number.POSITIVE_INFINITY;
let modules: Awaited<ReturnType<typeof load>>;

async function load() {
  const [deliver, failure, look, errors, mime, usage, table, keys] = await Promise.all([
    import('../../../../shared/services/emails/deliver.ts'),
    import('../../../../shared/services/emails/sendFailure.ts'),
    import('../../../../shared/services/emails/checks.ts'),
    import('../../../../shared/contract/errors.ts'),
    import('../../../../shared/email/mime.ts'),
    import('../../../../shared/store/quota/months.ts'),
    import('../../../../shared/store/table/table.ts'),
    import('../../../../shared/store/table/keys.ts'),
  ]);
  return { ...deliver, ...failure, ...look, ...errors, ...mime, ...usage, ...table, ...keys };
}

beforeAll(async () => {
  table = await startTestTable();
  provider = await startProvider((request, response) => {
    request.resume().on('end', () => {
      const throttled = { 'x-amzn-errortype': 'TooManyRequestsException' };
      if (provider.requests() >= throttlingFrom) response.writeHead(429, throttled);
      if (provider.requests() === refusing) response.writeHead(400, { 'x-amzn-errortype': 'MessageRejected' });
      response.end(JSON.stringify({ MessageId: `m${provider.requests()}` }));
    });
  });
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_SESV2: provider.endpoint,
    CONFIGURATION_SET: 'mail',
    POWERTOOLS_LOG_LEVEL: 'SILENT',
  });
  modules = await load();
});
afterAll(async () => {
  await provider.stop();
  await table.stop();
});

const workspace = { plan: 'growth' } as Workspace;
const people = Array.from({ length: 60 }, (_, index) => `p${index}@example.net`);

/** Looks at the recipients, the first of which is this old; each further one takes so long, or refuses the email. */
function lookOf([first = 0, ...further]: readonly (number | 'refuses')[]): RecipientCheck {
  const left = [...further];
  return new modules.RecipientCheck(
    (
      ([started, age]) =>
      () =>
        Number(age) + performance.now() - Number(started)
    )([performance.now(), first]),
    async () => {
      const next = left.shift() ?? 0;
      if (next === 'refuses') throw new modules.ServiceError('suppressed_recipient');
      await new Promise((resolve) => setTimeout(resolve, next));
      return { opens: true, clicks: true };
    },
  );
}

/** An email to sixty people: two envelopes. */
function outgoing(isStillOurs: () => Promise<boolean> = async () => true, look = lookOf([0])): OutgoingEmail {
  const now = new Date();
  return {
    workspaceId: createId('ws', now),
    emailId: createId('email', now),
    attempt: 'first',
    inDoubt: [],
    isStillOurs,
    addresses: people,
    content: { from: 'a@example.com', to: people, cc: [], bcc: [], replyTo: [], subject: 's', tags: [] },
    tracking: { opens: false, clicks: false },
    recipientCheck: look,
    now,
  };
}

const deliver = (email: OutgoingEmail) =>
  modules.deliver(email, modules.mimeOf(Buffer.from('Subject: s\r\n\r\nHi.')), workspace);
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error) => error,
  );
const usedOf = async ({ workspaceId, now }: OutgoingEmail) =>
  (await modules.getMonth(workspaceId, now.toISOString().slice(0, 7))).used;

/** Fails writes of the email itself, which record that an envelope was accepted. */
const withoutMarks = ({ workspaceId, emailId }: OutgoingEmail) => {
  const { pk } = modules.emailKey(workspaceId, emailId);
  return aroundCalls(modules.documents, (next) => async (command) => {
    const { operation, input } = command;
    if (operation === 'UpdateItem' && (input as { Key?: { pk?: string } }).Key?.pk === pk) throw new Error('Away.');
    return next(command);
  });
};

describe('an accepted envelope that could not be recorded', () => {
  it('is the last one sent, is reported as accepted, and its key cannot be used again at once', async () => {
    const email = outgoing();
    const [before, restore] = [provider.requests(), withoutMarks(email)];
    const failure = await failureOf(deliver(email));
    restore();
    expect(provider.requests() - before).toBe(1);
    expect(failure).toBeInstanceOf(modules.SendFailure);
    expect(failure).toMatchObject({
      extent: 'partial',
      isOpenEnded: true,
      details: { accepted: people.slice(0, 50), refused: people.slice(50) },
    });
    expect(await usedOf(email)).toBe(50);
  });

  it('is a success when it is the only one, although the record failed', async () => {
    const email = { ...outgoing(), addresses: people.slice(0, 1) };
    const restore = withoutMarks(email);
    expect(await deliver(email)).toMatchObject({ id: email.emailId });
    restore();
    expect(await usedOf(email)).toBe(1);
  });
});

describe('an email of two envelopes', () => {
  it('is sent as two messages, and each is recorded', async () => {
    const [email, before] = [outgoing(), provider.requests()];
    expect(await deliver(email)).toMatchObject({ id: email.emailId });
    expect(provider.requests() - before).toBe(2);
    expect(await usedOf(email)).toBe(60);
  });

  it('is sent by a later attempt only to the recipients of open envelopes', async () => {
    const [email, before] = [outgoing(), provider.requests()];
    refusing = before + 2;
    expect(await failureOf(deliver(email))).toMatchObject({ extent: 'partial', isOpenEnded: false });
    expect(await usedOf(email)).toBe(50);
    expect(await deliver({ ...email, attempt: 'later' })).toMatchObject({ id: email.emailId });
    expect(provider.requests() - before).toBe(3);
    expect(await usedOf(email)).toBe(60);
  });

  it('is neither sent again nor reserved for by a later attempt when all of it was accepted', async () => {
    const email = outgoing();
    await deliver(email);
    const [before, asked] = [provider.requests(), new Set<string>()];
    const restore = aroundCalls(modules.documents, (next) => (command) => {
      asked.add(command.operation);
      return next(command);
    });
    expect(await deliver({ ...email, attempt: 'later' })).toMatchObject({ id: email.emailId });
    restore();
    expect(provider.requests()).toBe(before);
    expect([...asked].filter((operation) => !/Get|Query/.test(operation))).toEqual([]);
    expect(await usedOf(email)).toBe(60);
  });

  it('is not sent by a delayed call after another has taken it over', async () => {
    const email = outgoing(async () => false);
    const before = provider.requests();
    const failure = await failureOf(deliver({ ...email, now: new Date(email.now.getTime() - 6000) }));
    expect(failure).toMatchObject({ code: 'conflict' });
    expect(provider.requests()).toBe(before);
    expect(await usedOf(email)).toBe(0);
  });
});

describe('an email that the provider defers for its rate', () => {
  afterEach(() => {
    throttlingFrom = Number.POSITIVE_INFINITY;
  });

  /** Counts what it is asked to keep: the recipients that are left. */
  function keeping(outcome: KeptEmail, isBacklog = false) {
    const kept: (readonly string[])[] = [];
    const keep = async (attempt: SendAttempt) => {
      kept.push(modules.openRecipients(attempt));
      return outcome;
    };
    return { kept, deferral: { isBacklog: () => isBacklog, keep } };
  }
  /** Throttles after so many accepted envelopes. */
  const throttleAfter = (accepted: number) => {
    throttlingFrom = provider.requests() + 1 + accepted;
    return provider.requests();
  };
  const full = () => ({ kind: 'full', error: new modules.PassingError('backlog', { retryAfterSeconds: 9 }) }) as const;

  it('is kept after one call, and its quota stays taken', async () => {
    const { kept, deferral } = keeping({ kind: 'kept' });
    const [email, before] = [outgoing(), throttleAfter(0)];
    const sent = { id: email.emailId, createdAt: email.now.toISOString(), wasSent: false };
    expect(await deliver({ ...email, deferral })).toEqual(sent);
    expect([provider.requests() - before, kept, await usedOf(email)]).toEqual([1, [people], 60]);
  });

  it('is kept without a call while others wait', async () => {
    const { kept, deferral } = keeping({ kind: 'kept' }, true);
    const [email, before] = [outgoing(), provider.requests()];
    await deliver({ ...email, deferral });
    expect([provider.requests() - before, kept, await usedOf(email)]).toEqual([0, [people], 60]);
  });

  it('is kept for the recipients that are left when a part is out', async () => {
    const { kept, deferral } = keeping({ kind: 'kept' });
    const [email, before] = [outgoing(), throttleAfter(1)];
    await deliver({ ...email, deferral });
    expect([provider.requests() - before, kept, await usedOf(email)]).toEqual([2, [people.slice(50)], 60]);
  });

  it('is refused when too much waits, and gives its quota back; if a part is out, that is said', async () => {
    const { deferral } = keeping(full());
    const email = outgoing();
    throttleAfter(0);
    expect(await failureOf(deliver({ ...email, deferral }))).toMatchObject({
      ...{ code: 'internal_error', details: { reason: 'backlog' }, retryAfterSeconds: 9 },
    });
    expect(await usedOf(email)).toBe(0);
    const partial = outgoing();
    throttleAfter(1);
    expect(await failureOf(deliver({ ...partial, deferral }))).toMatchObject({
      ...{ code: 'send_failed', extent: 'partial' },
      details: { accepted: people.slice(0, 50), refused: people.slice(50) },
    });
    expect(await usedOf(partial)).toBe(50);
  });

  it('fails when it could not be kept, and may be repeated', async () => {
    const { deferral } = keeping({ kind: 'not kept' });
    const email = outgoing();
    throttleAfter(0);
    const failure = await failureOf(deliver({ ...email, deferral }));
    expect(failure).toMatchObject({ code: 'send_failed', extent: 'nothing', isOpenEnded: false, retryAfterSeconds: 5 });
    expect(await usedOf(email)).toBe(0);
  });

  it('is unknown when nobody knows whether it was kept: its key stays, and its quota', async () => {
    const { deferral } = keeping({ kind: 'unknown' });
    const email = outgoing();
    throttleAfter(0);
    const failure = await failureOf(deliver({ ...email, deferral }));
    expect(failure).toMatchObject({ code: 'send_failed', extent: 'unknown', isOpenEnded: true });
    expect([failure.details.unknown, failure.details.refused, await usedOf(email)]).toEqual([people, [], 60]);
  });

  it('is not kept when an earlier call may have sent it, or the provider refuses it for another reason', async () => {
    const { kept, deferral } = keeping({ kind: 'kept' }, true);
    throttleAfter(0);
    const doubtful = { ...outgoing(), attempt: 'later', inDoubt: [0], deferral } as const;
    expect(await failureOf(deliver(doubtful))).toMatchObject({ code: 'send_failed', extent: 'unknown' });
    throttlingFrom = Number.POSITIVE_INFINITY;
    refusing = provider.requests() + 1;
    const refused = { ...outgoing(), deferral: { ...deferral, isBacklog: () => false } };
    expect(await failureOf(deliver(refused))).toMatchObject({ isForGood: true, isForRate: false });
    expect(kept).toEqual([]);
  });
});

describe('a look at the recipients that is two seconds old', () => {
  it('is repeated before the call, and the email goes out', async () => {
    const before = provider.requests();
    await deliver(outgoing(undefined, lookOf([2000, 10])));
    expect(provider.requests()).toBe(before + 2);
  });

  it('is repeated, and who has left meanwhile refuses the email: nothing goes out and nothing is taken', async () => {
    const before = provider.requests();
    const email = outgoing(undefined, lookOf([2000, 'refuses']));
    expect(await failureOf(deliver(email))).toMatchObject({ code: 'suppressed_recipient' });
    expect([provider.requests(), await usedOf(email)]).toEqual([before, 0]);
  });

  it('is repeated before the second envelope too, and says who got the first one', async () => {
    const before = provider.requests();
    const ages = [0, 3000];
    const refuse = async () => {
      throw new modules.ServiceError('suppressed_recipient');
    };
    const email = outgoing(undefined, new modules.RecipientCheck(() => ages.shift() ?? 0, refuse));
    expect(await failureOf(deliver(email))).toMatchObject({
      ...{ code: 'send_failed', extent: 'partial' },
      details: { accepted: people.slice(0, 50), refused: people.slice(50), provider_code: 'suppressed_recipient' },
    });
    expect([provider.requests() - before, await usedOf(email)]).toEqual([1, 50]);
  });

  it('is repeated three times: then nothing goes out for now, and it is no refusal of the provider', async () => {
    const before = provider.requests();
    const failure = await failureOf(deliver(outgoing(undefined, lookOf([2000, 2010, 2010, 2010]))));
    expect(failure).toMatchObject({ code: 'send_failed', details: { provider_code: 'StoreSlow', accepted: [] } });
    expect(failure.retryAfterSeconds).toBeGreaterThan(0);
    expect(modules.publicErrorOf(failure)).toMatchObject({
      code: 'internal_error',
      details: { reason: 'unavailable' },
    });
    expect(provider.requests()).toBe(before);
  });
});

describe('many looks at once that became too old', () => {
  it('are repeated a few at a time, so that a table which is behind answers in time', async () => {
    let under = 0;
    const again = async () => {
      under += 1;
      // The more it is asked at once, the longer each answer takes.
      await new Promise((resolve) => setTimeout(resolve, under * 30));
      under -= 1;
      return { opens: true, clicks: true };
    };
    const results = await Promise.all(
      Array.from({ length: 100 }, () => {
        const look = new modules.RecipientCheck(() => 2000, again);
        return deliver(outgoing(undefined, look));
      }),
    );
    expect(results).toHaveLength(100);
  });
});
