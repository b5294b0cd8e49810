import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Input {
  readonly SecretString?: string;
  readonly VersionStages?: readonly string[];
  readonly VersionStage?: string;
  readonly MoveToVersionId?: string;
  readonly RemoveFromVersionId?: string;
}

/**
 * A Secrets Manager of one secret, speaking AWS's JSON protocol, as far as a rotation needs it. Its versions have
 * labels; a label that another version has is moved only from the version that the caller names:
 * https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_UpdateSecretVersionStage.html
 */
export async function startSecretsManager(secret: string) {
  const versions = new Map<string, string>();
  const labels = new Map<string, string>();
  const calls: string[] = [];
  let beforeCall: (operation: string) => void = () => {};
  const put = (text: string, stages: readonly string[]): string => {
    const id = randomUUID();
    versions.set(id, text);
    for (const stage of stages) labels.set(stage, id);
    return id;
  };
  const move = ({ VersionStage = '', RemoveFromVersionId, MoveToVersionId = '' }: Input): boolean => {
    const holder = labels.get(VersionStage);
    if (holder !== undefined && holder !== RemoveFromVersionId) return false;
    if (VersionStage === 'AWSCURRENT' && holder) labels.set('AWSPREVIOUS', holder);
    labels.set(VersionStage, MoveToVersionId);
    return true;
  };
  const answers: Record<string, (input: Input) => object | null> = {
    GetSecretValue: () => {
      const VersionId = labels.get('AWSCURRENT') ?? '';
      return { VersionId, SecretString: versions.get(VersionId) };
    },
    PutSecretValue: ({ SecretString = '', VersionStages = ['AWSCURRENT'] }) => ({
      VersionId: put(SecretString, VersionStages),
    }),
    UpdateSecretVersionStage: (input) => (move(input) ? {} : null),
  };
  const server = createServer(async (request, response) => {
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    calls.push(operation);
    beforeCall(operation);
    const answer = answers[operation]?.(JSON.parse(Buffer.concat(chunks).toString()));
    response.writeHead(answer ? 200 : 400, { 'Content-Type': 'application/x-amz-json-1.1' });
    response.end(JSON.stringify(answer ?? { __type: 'InvalidParameterException', Message: 'The version is another.' }));
  });
  put(secret, ['AWSCURRENT']);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    current: () => JSON.parse(versions.get(labels.get('AWSCURRENT') ?? '') ?? 'null'),
    put,
    /** Called with the name of each operation, before it is done. */
    before: (act: (operation: string) => void) => {
      beforeCall = act;
    },
    stop: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}
