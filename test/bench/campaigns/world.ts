import type { Campaign } from '../../../shared/domain/campaign/campaign.ts';
import type { Context, OperatorActor } from '../../../shared/services/context.ts';
import { type BenchService, startBenchService } from '../service.ts';
import { type StubProvider, startStubProvider } from './provider.ts';

/** A service with a stub provider, and the product's modules in the bench's process, on the service's table. */
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
    // A waiting campaign continues after a second.
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

/** Imported once the environment names the table. */
async function loadModules() {
  const modules = await Promise.all([
    import('../counting.ts'),
    import('../../../functions/workers/campaignFeedback.ts'),
    import('../../../shared/domain/person/person.ts'),
    import('../../../shared/store/person/personRecord.ts'),
    import('../../../shared/store/table/keys.ts'),
    import('../../../shared/store/table/table.ts'),
  ]);
  const services = await Promise.all([
    import('../../../shared/services/campaigns/createCampaign.ts'),
    import('../../../shared/services/campaigns/sendCampaign.ts'),
    import('../../../shared/services/campaigns/readCampaigns.ts'),
    import('../../../shared/services/campaigns/pauseCampaign.ts'),
    import('../../../shared/services/sendingPace.ts'),
    import('../../../shared/services/workspaces/workspaces.ts'),
  ]);
  const stores = await Promise.all([
    import('../../../shared/store/campaign/campaigns.ts'),
    import('../../../shared/store/table/batches.ts'),
    import('../../../shared/store/campaign/tallies.ts'),
    import('../../../shared/store/workspace/workspaces.ts'),
    import('../../../shared/store/workspace/workspaces.ts'),
  ]);
  return { ...merged(modules), ...merged(services), ...merged(stores) };
}

type Merged<Modules> = Modules extends readonly [infer First, ...infer Rest] ? First & Merged<Rest> : unknown;
const merged = <Modules extends readonly object[]>(modules: Modules) =>
  Object.assign({}, ...modules) as Merged<Modules>;

export const contextOf = (workspaceId: string): Context<OperatorActor> => ({
  actor: { kind: 'operator', role: 'owner', entryPoint: 'command_line', name: 'bench', workspaceId: null },
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

/** A draft to all subscribers of the workspace. */
export async function draft({ load }: World, workspaceId: string): Promise<string> {
  const content = { name: 'Bench', subject: 'News for {{firstName|you}}', text };
  return (await load.createCampaign(contextOf(workspaceId), content as never)).id;
}

/** Freezes a draft and starts its runners; answers the number of queued recipients. */
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

/** Deletes the stored pace, so that the account's rate is read again before the next call. */
export async function forgetPace({ load }: World): Promise<void> {
  const { DeleteCommand } = await import('@aws-sdk/lib-dynamodb');
  await load.documents.send(new DeleteCommand({ TableName: load.tableName(), Key: load.paceKey }));
}

/** Processor seconds of the engine; 0 where they are not measured. */
export const engineCpuSeconds = ({ service }: World): number => service.processorTime()?.['DynamoDB engine'] ?? 0;

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));
