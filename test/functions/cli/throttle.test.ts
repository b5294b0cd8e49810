import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { startService, type TestService } from '../../acceptance/service.ts';
import { templatesOf } from '../../infra/deployment.ts';
import { mailroom, mailroomJson } from './mailroom.ts';

interface PatchOperation {
  readonly op: string;
  readonly path: string;
  readonly value: string;
}

/** The stage as API Gateway keeps it, and what it was asked for. */
const gateway = { methodSettings: {} as Record<string, Record<string, number>>, paths: [] as string[], busy: 0 };
let service: TestService;
let server: Server;
let environment: Record<string, string>;

const template = JSON.stringify(templatesOf({ domains: [] }).get('mailroom-prod'));
const outputs: Record<string, string> = {
  ...{ ConfigurationSet: 'mailroom', SecretId: 'secret', FilesBucket: 'files', SchedulerRoleArn: 'role' },
  ...{ ScheduleGroup: 'group', RestApiId: 'abc123', Stage: 'prod' },
};

/** CloudFormation answers in XML (AWS query protocol). */
function cloudFormation(form: URLSearchParams): string {
  const wrap = (name: string, inner: string) =>
    `<${name}Response xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><${name}Result>${inner}</${name}Result></${name}Response>`;
  if (form.get('Action') === 'GetTemplate') {
    const escaped = template.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    return wrap('GetTemplate', `<TemplateBody>${escaped}</TemplateBody>`);
  }
  const members = Object.entries(outputs).map(
    ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  return wrap(
    'DescribeStacks',
    `<Stacks><member><StackName>mailroom-prod</StackName><StackStatus>CREATE_COMPLETE</StackStatus>
    <CreationTime>2026-11-21T08:00:00Z</CreationTime><Outputs>${members.join('')}</Outputs></member></Stacks>`,
  );
}

function apiGateway(method: string, body: string): { status: number; answer: object } {
  if (gateway.busy > 0) {
    gateway.busy -= 1;
    return { status: 429, answer: { message: 'Too Many Requests' } };
  }
  if (method === 'PATCH') {
    for (const { op, path, value } of JSON.parse(body).patchOperations as PatchOperation[]) {
      const [, key = '', name = ''] = /^\/(.+\/[A-Z*]+)\/throttling\/(rate|burst)Limit$/.exec(path) ?? [];
      if (op !== 'replace' || !key) return { status: 400, answer: { message: `Invalid patch path ${path}` } };
      gateway.methodSettings[key] = { ...gateway.methodSettings[key], [name]: Number(value) };
    }
  }
  const methodSettings = Object.fromEntries(
    Object.entries(gateway.methodSettings).map(([key, { rate = 0, burst = 0 }]) => [
      key,
      { throttlingRateLimit: rate, throttlingBurstLimit: burst, metricsEnabled: false },
    ]),
  );
  return { status: 200, answer: { stageName: 'prod', methodSettings } };
}

beforeAll(async () => {
  service = await startService();
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      if (request.url === '/') {
        response.setHeader('Content-Type', 'text/xml').end(cloudFormation(new URLSearchParams(body)));
        return;
      }
      gateway.paths.push(`${request.method} ${request.url}`);
      const isSigned = /\/apigateway\/aws4_request/.test(request.headers.authorization ?? '');
      const { status, answer } = isSigned ? apiGateway(request.method ?? '', body) : { status: 403, answer: {} };
      response.statusCode = status;
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  outputs.TableName = service.environment.TABLE_NAME ?? '';
  outputs.PublicUrl = service.baseUrl;
  outputs.QueueUrlPrefix = service.environment.QUEUE_URL_PREFIX ?? '';
  outputs.QueueArnPrefix = service.environment.QUEUE_ARN_PREFIX ?? '';
  environment = {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_CLOUDFORMATION: endpoint,
    AWS_ENDPOINT_URL_API_GATEWAY: endpoint,
    AWS_ENDPOINT_URL_DYNAMODB: service.environment.AWS_ENDPOINT_URL_DYNAMODB ?? '',
  };
  await mailroomJson(['throttle', 'restore', '--stack', 'mailroom-prod'], environment);
});
afterAll(async () => {
  server.close();
  await service.stop();
});

const throttle = (...words: string[]) => mailroomJson(['throttle', ...words, '--stack', 'mailroom-prod'], environment);
const sends = '~1api~1v1~1emails/POST';

describe('mailroom throttle', () => {
  it('lowers every method of the stage to a tenth, and restores what was deployed', async () => {
    const usual = structuredClone(gateway.methodSettings);
    expect(usual[sends]).toEqual({ rate: 100, burst: 200 });
    expect(usual['*/*']).toBeDefined();
    expect((await throttle('show')).state).toBe('usual');

    expect((await throttle('lower')).state).toBe('lowered');
    expect(gateway.methodSettings[sends]).toEqual({ rate: 10, burst: 20 });
    for (const [method, { rate = 0, burst = 0 }] of Object.entries(usual)) {
      expect(gateway.methodSettings[method]?.rate).toBeCloseTo(rate / 10, 2);
      expect(gateway.methodSettings[method]?.burst).toBe(Math.max(1, Math.round(burst / 10)));
    }
    const shown = await throttle('show');
    expect(shown.state).toBe('lowered');
    expect(shown.methods).toContainEqual({
      method: 'POST /api/v1/emails',
      per_second: 10,
      burst: 20,
      usual_per_second: 100,
      usual_burst: 200,
    });

    await throttle('lower', '--percent', '1');
    expect(gateway.methodSettings[sends]).toEqual({ rate: 1, burst: 2 });
    expect((await throttle('restore')).state).toBe('usual');
    expect(gateway.methodSettings).toEqual(usual);
    expect(new Set(gateway.paths.map((path) => path.split(' ')[1]))).toEqual(new Set(['/restapis/abc123/stages/prod']));
  });

  it('retries while API Gateway is busy, and reports when only a part was changed', async () => {
    gateway.busy = 1;
    await throttle('lower');
    gateway.methodSettings[sends] = { rate: 100, burst: 200 };
    expect((await throttle('show')).state).toBe('mixed');
    await throttle('restore');
  });

  it('is an entry of the audit log', async () => {
    const { data } = await mailroomJson(['audit', 'list', '--deployment', '--stack', 'mailroom-prod'], environment);
    expect(data).toContainEqual(expect.objectContaining({ action: 'throttle.lower', outcome: 'done' }));
  });

  it('says that a laptop has no throttles', async () => {
    const { code, stderr } = await mailroom([
      ...['throttle', 'lower', '--data', dirname(service.environment.SERVICE_SECRET_FILE ?? '')],
    ]);
    expect(code).not.toBe(0);
    expect(stderr).toContain('--stack');
  });
});
