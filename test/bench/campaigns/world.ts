import type { Campaign } from '../../../shared/domain/campaign/campaign.ts';
import type { Context, OperatorActor } from '../../../shared/services/context.ts';
import { type BenchService, startBenchService } from '../service.ts';
import { type StubProvider, startStubProvider } from './provider.ts';

/** A service whose provider is a stub, and the product's own modules on the service's table, in the bench's process. */
export interface World {
  readonly service: BenchService;
  readonly provider: StubProvider;
  readonly load: Awaited<ReturnType<typeof loadModules>>;
  stop(): Promise<void>;
}

export async function startWorld(): Promise<World> {
  const provider = await startStubProvider();
  const service = await startBenchService(undefined, {
    AWS_ENDPOINT_URL_SESV2: provider.endpoint,
    // What a campaign waits for is brought about at will.
    CAMPAIGN_LOOK_AGAIN_SECONDS: '1',
  });
  Object.assign(process.env, service.runtime.environment);
  return {
    service,
    provider,
    load: await loadModules(),
    stop: async () => {
      await service.stop().catch(() => {});
      provider.stop();
    },
  };
}

/** Imported when the environment says where the table is. */
async function loadModules() {
  const modules = await Promise.all([
    import('../counting.ts'),
    import('../../../functions/workers/campaignFeedback.ts'),
    import('../../../shared/domain/person/subscriberValues.ts'),
    import('../../../shared/store/person/personItem.ts'),
    import('../../../shared/store/table/keys.ts'),
    import('../../../shared/store/table/table.ts'),
  ]);
  const services = await Promise.all([
    import('../../../shared/services/campaigns/create.ts'),
    import('../../../shared/services/campaigns/send.ts'),
    import('../../../shared/services/campaigns/stats.ts'),
    import('../../../shared/services/campaigns/operator/pause.ts'),
    import('../../../shared/services/campaigns/run/pacing.ts'),
    import('../../../shared/services/segments/create.ts'),
    import('../../../shared/services/workspaces/create.ts'),
  ]);
  const stores = await Promise.all([
    import('../../../shared/store/campaign/campaigns.ts'),
    import('../../../shared/store/campaign/messages.ts'),
    import('../../../shared/store/campaign/parts.ts'),
    import('../../../shared/store/campaign/slices.ts'),
    import('../../../shared/store/campaign/tallies.ts'),
    import('../../../shared/store/workspace/senders.ts'),
    import('../../../shared/store/workspace/workspaces.ts'),
  ]);
  return { ...merged(modules), ...merged(services), ...merged(stores) };
}

type Merged<Modules> = Modules extends readonly [infer First, ...infer Rest] ? First & Merged<Rest> : unknown;
const merged = <Modules extends readonly object[]>(modules: Modules) =>
  Object.assign({}, ...modules) as Merged<Modules>;

export const contextOf = (workspaceId: string): Context<OperatorActor> => ({
  actor: { kind: 'operator', role: 'owner', door: 'command_line', name: 'bench', workspaceId: null },
  workspaceId,
  language: 'en',
  now: new Date(),
  requestId: 'bench',
});

const text = [
  'Dear {{firstName|reader}},',
  'What is new this month, and why it matters to you: three stories, one of them from {{fields.city|your town}}.',
  '[Read the first story](https://example.com/stories/1) or [see all of them](https://example.com/stories).',
  'Yours, the bench',
].join('\n\n');

/** A draft to everybody of the workspace, or of a segment. */
export async function draft({ load }: World, workspaceId: string, segmentId?: string): Promise<string> {
  const said = { name: 'Bench', subject: 'News for {{firstName|you}}', text };
  const wanted = { ...said, ...(segmentId && { segment_id: segmentId }) };
  return (await load.createCampaign(contextOf(workspaceId), wanted as never)).id;
}

/** Freezes a draft and sets its runners going; answers how many are queued. */
export async function send({ load }: World, workspaceId: string, id: string): Promise<number> {
  const { output } = await load.sendCampaign(contextOf(workspaceId), { id, dry_run: false });
  if (!('queued' in output)) throw new Error('A campaign was not sent.');
  return output.queued;
}

export async function untilSent({ load }: World, workspaceId: string, id: string, seconds = 120): Promise<Campaign> {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const campaign = await load.getCampaign({ workspaceId, id });
    if (campaign?.status === 'sent') return campaign;
    if (Date.now() > end) throw new Error(`A campaign was not sent within ${seconds} s: ${JSON.stringify(campaign)}`);
    await pause(200);
  }
}

/** The account is read anew before the next call. */
export async function forgetPace({ load }: World): Promise<void> {
  const { DeleteCommand } = await import('../../../shared/store/dynamodb/commands.ts');
  await load.documents.send(new DeleteCommand({ TableName: load.tableName(), Key: load.paceKey }));
}

/** What the kernel says the engine worked; 0 where it does not tell. */
export const engineCpuSeconds = ({ service }: World): number => service.processorTime()?.['DynamoDB engine'] ?? 0;

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));
