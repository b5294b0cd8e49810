import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { queues } from '../../../infra/resources.ts';
import { startService, type TestService } from '../../acceptance/service.ts';
import { mailroom, mailroomJson } from './mailroom.ts';

/** The regions of the requests to CloudFormation, in order. */
const signedFor: string[] = [];

/** CloudFormation responds in XML (AWS query protocol); only DescribeStacks is called. */
function startCloudFormation(outputs: Record<string, string>): Promise<{ server: Server; endpoint: string }> {
  const server = createServer((request, response) => {
    let form = '';
    request.on('data', (chunk) => {
      form += chunk;
    });
    request.on('end', () => {
      const name = new URLSearchParams(form).get('StackName');
      signedFor.push(/Credential=[^/]+\/\d{8}\/([a-z0-9-]+)\//.exec(request.headers.authorization ?? '')?.[1] ?? '');
      response.setHeader('Content-Type', 'text/xml');
      response.statusCode = name === 'Mailroom' ? 200 : 400;
      response.end(name === 'Mailroom' ? described(outputs) : missing(name ?? ''));
    });
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve({ server, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
    });
  });
}

function described(outputs: Record<string, string>): string {
  const members = Object.entries(outputs).map(
    ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  return `<DescribeStacksResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><DescribeStacksResult>
    <Stacks><member><StackName>Mailroom</StackName><StackStatus>CREATE_COMPLETE</StackStatus>
    <CreationTime>2026-11-21T08:00:00Z</CreationTime><Outputs>${members.join('')}</Outputs></member></Stacks>
    </DescribeStacksResult></DescribeStacksResponse>`;
}

function missing(name: string): string {
  return `<ErrorResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><Error><Type>Sender</Type>
    <Code>ValidationError</Code><Message>Stack with id ${name} does not exist</Message></Error></ErrorResponse>`;
}

describe('the command line on a deployed stack', () => {
  let service: TestService;
  let environment: Record<string, string>;
  const outputs: Record<string, string> = {
    ConfigurationSet: 'mailroom',
    SecretId: 'secret',
    FilesBucket: 'files',
    SchedulerRoleArn: 'role',
    ScheduleGroup: 'group',
  };
  let cloudFormation: { server: Server; endpoint: string };

  beforeAll(async () => {
    service = await startService();
    outputs.TableName = service.environment.TABLE_NAME ?? '';
    outputs.PublicUrl = service.baseUrl;
    outputs.QueueUrlPrefix = service.environment.QUEUE_URL_PREFIX ?? '';
    outputs.QueueArnPrefix = service.environment.QUEUE_ARN_PREFIX ?? '';
    cloudFormation = await startCloudFormation(outputs);
    environment = {
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_ENDPOINT_URL_CLOUDFORMATION: cloudFormation.endpoint,
      AWS_ENDPOINT_URL_DYNAMODB: service.environment.AWS_ENDPOINT_URL_DYNAMODB ?? '',
      AWS_ENDPOINT_URL_SESV2: service.environment.AWS_ENDPOINT_URL_SESV2 ?? '',
    };
  });
  afterAll(async () => {
    cloudFormation.server.close();
    await service.stop();
  });

  it('finds the table in the outputs of the stack', async () => {
    const { data } = await mailroomJson(['workspace', 'list', '--stack', 'Mailroom'], environment);
    expect(data).toEqual([{ object: 'workspace', id: service.workspaceId, name: 'Development' }]);
    const added = await mailroomJson(['domain', 'add', 'stack.example', '--stack', 'Mailroom'], environment);
    expect(added.records).toHaveLength(6);
  });

  it('counts the messages of every queue by the names in the outputs', async () => {
    const { AWS_ENDPOINT_URL_SQS = '' } = service.environment;
    const { data } = await mailroomJson(['queue', 'list', '--stack', 'Mailroom'], {
      ...environment,
      AWS_ENDPOINT_URL_SQS,
    });
    expect(data).toHaveLength(Object.keys(queues).length);
    expect(data[0]).toEqual({
      object: 'queue',
      name: 'feedback',
      waiting: 0,
      delayed: 0,
      in_flight: 0,
      dead: 0,
      undelivered: 0,
    });
  });

  it('reads the region from the settings and prints it; --region takes precedence', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'mailroom-settings-')), 'mailroom.settings.dev.json');
    writeFileSync(file, JSON.stringify({ region: 'eu-west-3' }));
    const words = ['workspace', 'list', '--stack', 'Mailroom', '--settings', file];
    const { AWS_REGION: _, ...withoutRegion } = environment;
    const asked = await mailroom(words, withoutRegion);
    expect([asked.code, asked.stderr]).toEqual([0, `Region eu-west-3, from ${file}.\n`]);
    expect(signedFor.at(-1)).toBe('eu-west-3');
    const given = await mailroom([...words, '--region', 'eu-north-1'], withoutRegion);
    expect([given.code, given.stderr, signedFor.at(-1)]).toEqual([0, '', 'eu-north-1']);
    writeFileSync(file, '{"region": "Paris"}');
    const wrong = await mailroom(words, withoutRegion);
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('region must be an AWS region')]);
    rmSync(dirname(file), { recursive: true });
  });

  it('uses the region of the AWS profile by default', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mailroom-profile-'));
    const file = join(folder, 'config');
    writeFileSync(file, '[default]\nregion = ap-south-1\n');
    const { AWS_REGION: _, ...withoutRegion } = environment;
    const words = ['workspace', 'list', '--stack', 'Mailroom'];
    const { code, stderr } = await mailroom(words, { ...withoutRegion, AWS_CONFIG_FILE: file });
    expect([code, stderr, signedFor.at(-1)]).toEqual([0, '', 'ap-south-1']);
    rmSync(folder, { recursive: true });
  });

  it('names --region and the settings when no region is known', async () => {
    const { AWS_REGION: _, ...withoutRegion } = environment;
    const none = { ...withoutRegion, AWS_CONFIG_FILE: '/dev/null', AWS_SHARED_CREDENTIALS_FILE: '/dev/null' };
    const { code, stderr } = await mailroom(['workspace', 'list', '--stack', 'Mailroom'], none);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^error: .*--region, .*mailroom\.settings\.json.*\n$/)]);
  });

  it('reports an unknown stack in one line', async () => {
    const { code, stderr } = await mailroom(['workspace', 'list', '--stack', 'Elsewhere'], environment);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: .*Stack with id Elsewhere does not exist\n$/);
  });

  it('names the missing outputs of a stack', async () => {
    const other = await startCloudFormation({ TableName: 'mailroom' });
    const run = await mailroom(['workspace', 'list', '--stack', 'Mailroom'], {
      ...environment,
      AWS_ENDPOINT_URL_CLOUDFORMATION: other.endpoint,
    });
    other.server.close();
    expect([run.code, run.stderr]).toEqual([
      1,
      'error: The stack Mailroom has no output ConfigurationSet, PublicUrl, SecretId, FilesBucket, SchedulerRoleArn, ' +
        'ScheduleGroup, QueueUrlPrefix, QueueArnPrefix.\n',
    ]);
  });
});
