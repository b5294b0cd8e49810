import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import type { PersonRecord } from '../../../../shared/store/person/personRecord.ts';
import { temporaryFolder } from '../../../infra/local/processes.ts';
import { operatorContext } from '../context.ts';
import { startWorld } from './world.ts';

/** A message that the provider took, by its tags. */
export interface TakenMessage {
  readonly id: string;
  readonly email: string;
  readonly campaignId: string;
  readonly chunk: number;
  readonly position: number;
  readonly attempt: string;
}

interface Tag {
  readonly Name: string;
  readonly Value: string;
}

interface BulkBody {
  readonly DefaultEmailTags: readonly Tag[];
  readonly BulkEmailEntries: readonly {
    readonly Destination: { readonly ToAddresses: readonly [string] };
    readonly ReplacementTags: readonly Tag[];
  }[];
}

/** A provider that takes everything after `latencyMilliseconds`, and tells when each call began. */
async function startProvider() {
  const taken: TakenMessage[] = [];
  const state = { latencyMilliseconds: 0, begun: [] as number[] };
  const server = createServer(async (request, response) => {
    const answer = (body: object) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
    if (!request.url?.includes('outbound-bulk-emails')) {
      const quota = { MaxSendRate: 10_000, Max24HourSend: -1, SentLast24Hours: 0 };
      return answer({ SendQuota: quota, SendingEnabled: true, ProductionAccessEnabled: true });
    }
    state.begun.push(performance.now());
    const messages = messagesOf((await json(request as IncomingMessage)) as BulkBody, taken.length);
    taken.push(...messages);
    await wait(state.latencyMilliseconds);
    return answer({ BulkEmailEntryResults: messages.map(({ id }) => ({ Status: 'SUCCESS', MessageId: id })) });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { endpoint, taken, state, stop: () => server.closeAllConnections() ?? server.close() };
}

function messagesOf({ DefaultEmailTags, BulkEmailEntries }: BulkBody, first: number): TakenMessage[] {
  return BulkEmailEntries.map(({ Destination, ReplacementTags }, index) => {
    const tags = new Map([...DefaultEmailTags, ...ReplacementTags].map(({ Name, Value }) => [Name, Value]));
    return {
      id: `message-${first + index}`,
      email: Destination.ToAddresses[0],
      campaignId: tags.get('mailroom_campaign') ?? '',
      chunk: Number(tags.get('mailroom_chunk')),
      position: Number(tags.get('mailroom_position')),
      attempt: tags.get('mailroom_attempt') ?? '',
    };
  });
}

const link = 'https://example.com/';

/** The world of campaigns with a provider, workspaces and people, so that chunks are really sent. */
export async function startSendingWorld() {
  const [provider, folder] = await Promise.all([startProvider(), temporaryFolder()]);
  const secretFile = join(folder.path, 'secret.json');
  writeFileSync(secretFile, JSON.stringify({ current: 'sending-0123456789abcdef0123456789abcdef' }));
  Object.assign(process.env, {
    SERVICE_SECRET_FILE: secretFile,
    AWS_ENDPOINT_URL_SESV2: provider.endpoint,
    CAMPAIGN_CONFIGURATION_SET: 'campaigns',
    PUBLIC_URL: 'https://mail.example.com',
  });
  const world = await startWorld();
  const [chunks, records, persons, keys, batches, counters, sendChunk, workspaces, created] = await Promise.all([
    import('../../../../shared/store/campaign/frozenContent.ts'),
    import('../../../../shared/store/person/personRecord.ts'),
    import('../../../../shared/domain/person/person.ts'),
    import('../../../../shared/store/table/keys.ts'),
    import('../../../../shared/store/table/batches.ts'),
    import('../../../../shared/services/campaigns/counters.ts'),
    import('../../../../shared/services/campaigns/internal/sendChunk.ts'),
    import('../../../../shared/store/workspace/workspaces.ts'),
    import('../../../../shared/services/workspaces/workspaces.ts'),
  ]);

  const subscribe = (workspaceId: string, emails: readonly string[]) =>
    batches.putItems<PersonRecord>(
      emails.map((email) => ({
        ...keys.addressItemKey(workspaceId, email),
        ...records.recordOf({
          ...records.nobody(workspaceId, email),
          version: 1,
          subscriber: persons.newSubscriber('subscribed', new Date()),
        }),
      })),
    );

  return {
    ...world,
    taken: provider.taken,
    provider: provider.state,
    CounterBuffer: counters.CounterBuffer,
    sendChunk: sendChunk.sendChunk,
    getWorkspace: workspaces.getWorkspace,
    newWorkspace: async (): Promise<string> =>
      (await created.createWorkspace(operatorContext(), { name: 'Test', plan: 'growth', language: 'en' })).id,
    /** A campaign that is being sent to this many people, frozen with their addresses. */
    frozen: async (workspaceId: string, emails: readonly string[], runners = 1) => {
      await subscribe(workspaceId, emails);
      const campaign = await world.sending(emails.length, { workspaceId, runners });
      const place = { workspaceId, campaignId: campaign.id, freezeId: campaign.freeze.id };
      const expiresAt = Math.floor(Date.now() / 1000) + 3600;
      const parts = Array.from({ length: Math.ceil(emails.length / 500) }, (_, number) => ({
        number,
        emails: emails.slice(number * 500, (number + 1) * 500),
      }));
      await chunks.putChunks(place, parts, expiresAt);
      const message = { subject: 's', html: 'h', text: 't', variables: [], links: [link], from: 'a@example.com' };
      await chunks.putMessage({ ...place, variant: 0 }, { ...message, listId: 'list' }, expiresAt);
      return { ...campaign, chunks: parts.length };
    },
    stop: async () => {
      provider.stop();
      await Promise.all([world.stop(), folder.remove()]);
    },
  };
}
