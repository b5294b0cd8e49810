import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { type Answer, call } from '../client.ts';
import type { TestService } from '../service.ts';
import type { TestWorkspace } from '../workspace.ts';

type Place = Pick<TestService, 'baseUrl' | 'apiKey'>;

/** A draft to the whole list, changed by `over`. */
export async function draft(place: Place, over: object = {}): Promise<string> {
  const text = 'content' in over || 'html' in over ? {} : { text: 'News.' };
  const body = { name: 'News', subject: 'Hello', ...text, ...over };
  const answer = await call(place, 'POST', '/api/v1/campaigns', { body });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body.id;
}

export const send = (place: Place, id: string, body?: object, headers = {}): Promise<Answer> =>
  call(place, 'POST', `/api/v1/campaigns/${id}/send`, { ...(body && { body }), headers });

export const show = async (place: Place, id: string) => (await call(place, 'GET', `/api/v1/campaigns/${id}`)).body;
export const report = async (place: Place, id: string) =>
  (await call(place, 'GET', `/api/v1/campaigns/${id}/stats`)).body;

/** Adds subscribers, a few at the same time. */
export async function subscribe(place: Place, people: readonly (string | object)[]): Promise<void> {
  const left = people.map((one) => (typeof one === 'string' ? { email: one } : one));
  const worker = async () => {
    for (let one = left.pop(); one; one = left.pop()) {
      const { status } = await call(place, 'POST', '/api/v1/subscribers', { body: { ...one, double_opt_in: false } });
      if (status >= 300) throw new Error(`A subscriber was refused with ${status}.`);
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}

export interface Progress {
  readonly queued: number;
  readonly sent: number;
  readonly skipped: number;
  readonly failed: number;
  readonly uncertain: number;
  readonly waiting: number;
  readonly paused: boolean;
  readonly reason: string | null;
}

const addsUp = ({ queued, sent, skipped, failed, uncertain, waiting }: Progress): boolean =>
  queued === sent + skipped + failed + uncertain + waiting &&
  [sent, skipped, failed, uncertain, waiting].every((count) => count >= 0);

/** Subscribes many people through the importer, which is faster than API calls. */
export async function importPeople(
  { environment, dataDir }: TestService,
  workspaceId: string,
  emails: readonly string[],
): Promise<void> {
  Object.assign(process.env, environment);
  const [{ importSubscribers }, { operatorContext }] = await Promise.all([
    import('../../../shared/services/imports/importFile.ts'),
    import('../../shared/services/context.ts'),
  ]);
  const file = join(dataDir, `${randomUUID()}.csv`);
  writeFileSync(file, ['email', ...emails].join('\n'));
  const input = { file, consentGiven: true, ignoreUnknown: false, restart: false };
  const { added } = await importSubscribers(operatorContext(workspaceId), input, () => {});
  if (added !== emails.length) throw new Error(`Of ${emails.length} people ${added} were added.`);
}

/** Reads the progress every 200 ms until `isExpected`. Every reading must add up to the same list. */
export async function follow(
  place: Place,
  id: string,
  isExpected: (campaign: { status: string; progress: Progress }) => boolean,
  timeoutSeconds: number,
) {
  const deadline = Date.now() + timeoutSeconds * 1000;
  for (;;) {
    const campaign = await show(place, id);
    if (!addsUp(campaign.progress)) throw new Error(`It does not add up: ${JSON.stringify(campaign.progress)}`);
    if (campaign.status === 'sent' && campaign.progress.waiting > 0) {
      throw new Error(`It was sent before it was sent: ${JSON.stringify(campaign.progress)}`);
    }
    if (isExpected(campaign)) return campaign;
    if (Date.now() > deadline) throw new Error(`Not within ${timeoutSeconds} seconds: ${JSON.stringify(campaign)}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

export const untilSent = (place: Place, id: string, timeoutSeconds = 90) =>
  follow(place, id, ({ status }) => status === 'sent', timeoutSeconds);

/** The operator's verbs on the table of a service. */
export async function operator(service: TestService, { workspaceId }: Pick<TestWorkspace, 'workspaceId'>) {
  Object.assign(process.env, service.environment);
  const [pause, schedule, { createSegment }, { operatorContext }] = await Promise.all([
    import('../../../shared/services/campaigns/pauseCampaign.ts'),
    import('../../../shared/services/campaigns/scheduleCampaign.ts'),
    import('../../../shared/services/segments.ts'),
    import('../../shared/services/context.ts'),
  ]);
  const context = () => operatorContext(workspaceId);
  return {
    pause: (id: string) => pause.pauseCampaign(context(), { id }),
    resume: (id: string) => pause.resumeCampaign(context(), { id }),
    cancel: (id: string) => pause.cancelCampaign(context(), { id }),
    schedule: (id: string, at: Date) => schedule.scheduleCampaign(context(), { id, at }),
    unschedule: (id: string) => schedule.unscheduleCampaign(context(), { id }),
    segment: (rule: object) => createSegment(context(), { name: `S${Date.now()}`, rule }),
  };
}

/**
 * Starts the sweeper in its own process, every second instead of every minute. The returned function ends it.
 */
export function startSweeper(service: TestService): () => Promise<void> {
  const script = join(import.meta.dirname, 'sweeper.ts');
  const env = { ...process.env, ...service.environment, POWERTOOLS_LOG_LEVEL: 'SILENT' };
  const child = spawn(process.execPath, [script], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  return () =>
    new Promise((resolve) => {
      child.once('exit', () => resolve());
      child.kill('SIGKILL');
    });
}

/** Wakes late runners as the sweeper does, without waiting. */
export async function wakeRunners(service: TestService, workspaceId: string, id: string): Promise<void> {
  const connection = { region: 'us-east-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };
  const { environment } = service;
  const dynamodb = new DynamoDBClient({ ...connection, endpoint: environment.AWS_ENDPOINT_URL_DYNAMODB ?? '' });
  const sqs = new SQSClient({ ...connection, endpoint: environment.AWS_ENDPOINT_URL_SQS ?? '' });
  const { Items = [] } = await DynamoDBDocumentClient.from(dynamodb).send(
    new QueryCommand({
      TableName: environment.TABLE_NAME,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :runner)',
      ExpressionAttributeValues: { ':pk': `WS#${workspaceId}#CAMPAIGN#${id}`, ':runner': 'RUNNER#' },
    }),
  );
  const due = Items.filter((item) => item.due_pk !== undefined);
  await Promise.all(
    due.map(({ runner, turn }) =>
      sqs.send(
        new SendMessageCommand({
          QueueUrl: `${environment.QUEUE_URL_PREFIX}campaign`,
          MessageBody: JSON.stringify({ kind: 'run', workspace_id: workspaceId, campaign_id: id, runner, turn }),
        }),
      ),
    ),
  );
  dynamodb.destroy();
  sqs.destroy();
}
