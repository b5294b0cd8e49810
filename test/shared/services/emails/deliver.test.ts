import { createId } from '../../../../shared/domain/token/identifier.ts';
import type { Workspace } from '../../../../shared/domain/workspace/workspace.ts';
import type { Outgoing } from '../../../../shared/services/emails/deliver.ts';
import { startProvider, type TestProvider } from '../../platform/aws/provider.ts';
import { aroundCalls } from '../../store/aroundCalls.ts';
import { startTestTable } from '../../store/testTable.ts';

let table: Awaited<ReturnType<typeof startTestTable>>;
let provider: TestProvider;
/** Which request the provider refuses. */
let refusing = 0;
let modules: Awaited<ReturnType<typeof load>>;

async function load() {
  const [deliver, failure, mime, usage, table, keys] = await Promise.all([
    import('../../../../shared/services/emails/deliver.ts'),
    import('../../../../shared/services/emails/sendFailure.ts'),
    import('../../../../shared/email/mime/mimeParts.ts'),
    import('../../../../shared/store/sending/usage.ts'),
    import('../../../../shared/store/table/table.ts'),
    import('../../../../shared/store/table/keys.ts'),
  ]);
  return { ...deliver, ...failure, ...mime, ...usage, ...table, ...keys };
}

beforeAll(async () => {
  table = await startTestTable();
  provider = await startProvider((request, response) => {
    request.resume().on('end', () => {
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

/** An email to sixty people: two envelopes. */
function outgoing(isStillOurs: () => Promise<boolean> = async () => true): Outgoing {
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
    now,
  };
}

const deliver = (email: Outgoing) =>
  modules.deliver(email, modules.mimeOf(Buffer.from('Subject: s\r\n\r\nHi.')), workspace);
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error) => error,
  );
const usedOf = async ({ workspaceId, now }: Outgoing) =>
  (await modules.getMonth(workspaceId, now.toISOString().slice(0, 7))).used;

/** The table fails whoever writes the email itself, which is how it is noted that the provider took an envelope. */
const withoutMarks = ({ workspaceId, emailId }: Outgoing) => {
  const { pk } = modules.emailKey(workspaceId, emailId);
  return aroundCalls(modules.documents, (next) => async (command) => {
    const { operation, input } = command;
    if (operation === 'UpdateItem' && (input as { Key?: { pk?: string } }).Key?.pk === pk) throw new Error('Away.');
    return next(command);
  });
};

describe('an envelope that the provider took and nobody could note', () => {
  it('is the last that goes out, is told as accepted, and keeps its key from being used again at once', async () => {
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

  it('is no failure when it is the only one: the answer is yes, whatever our own records do', async () => {
    const email = { ...outgoing(), addresses: people.slice(0, 1) };
    const restore = withoutMarks(email);
    expect(await deliver(email)).toMatchObject({ id: email.emailId });
    restore();
    expect(await usedOf(email)).toBe(1);
  });
});

describe('an email of two envelopes', () => {
  it('goes out as two messages, each of which is noted', async () => {
    const [email, before] = [outgoing(), provider.requests()];
    expect(await deliver(email)).toMatchObject({ id: email.emailId });
    expect(provider.requests() - before).toBe(2);
    expect(await usedOf(email)).toBe(60);
  });

  it('is sent by a later attempt to those alone who are not known to have it', async () => {
    const [email, before] = [outgoing(), provider.requests()];
    refusing = before + 2;
    expect(await failureOf(deliver(email))).toMatchObject({ extent: 'partial', isOpenEnded: false });
    expect(await usedOf(email)).toBe(50);
    expect(await deliver({ ...email, attempt: 'later' })).toMatchObject({ id: email.emailId });
    expect(provider.requests() - before).toBe(3);
    expect(await usedOf(email)).toBe(60);
  });

  it('is not sent again by a later attempt when all of it was accepted, nor reserved for', async () => {
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

  it('is not sent by a call that was held up until another had taken it over', async () => {
    const email = outgoing(async () => false);
    const before = provider.requests();
    const failure = await failureOf(deliver({ ...email, now: new Date(email.now.getTime() - 6000) }));
    expect(failure).toMatchObject({ code: 'conflict' });
    expect(provider.requests()).toBe(before);
    expect(await usedOf(email)).toBe(0);
  });
});
