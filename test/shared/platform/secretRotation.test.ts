import { startSecretsManager } from './secretsManager.ts';

const first = 'a'.repeat(64);
Object.assign(process.env, { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' });
process.env.SERVICE_SECRET_ID = 'arn:aws:secretsmanager:us-east-1:000000000000:secret:mailroom';
let manager: Awaited<ReturnType<typeof startSecretsManager>>;
let rotate: () => Promise<number>;
beforeEach(async () => {
  manager = await startSecretsManager(JSON.stringify({ current: first }));
  process.env.AWS_ENDPOINT_URL_SECRETS_MANAGER = manager.endpoint;
  const { rotateStoredSecret } = await import('../../../shared/platform/secretRotation.ts');
  rotate = () => rotateStoredSecret('SERVICE_SECRET');
});
afterEach(() => manager.stop());

describe('rotating the secret in Secrets Manager', () => {
  it('keeps every earlier one, newest first', async () => {
    expect(await rotate()).toBe(2);
    const second = manager.current().current;
    expect(await rotate()).toBe(3);
    expect(manager.current()).toEqual({ current: expect.stringMatching(/^[\w-]{64}$/), previous: [second, first] });
    expect(manager.calls.slice(0, 3)).toEqual(['GetSecretValue', 'PutSecretValue', 'UpdateSecretVersionStage']);
  });

  it('fails without a change when another rotation came between', async () => {
    const other = { current: 'o'.repeat(64), previous: [first] };
    manager.before((operation) => {
      if (operation === 'PutSecretValue') manager.put(JSON.stringify(other), ['AWSCURRENT']);
    });
    await expect(rotate()).rejects.toThrow('The version is another.');
    expect(manager.current()).toEqual(other);
  });

  it('is not hindered by what a rotation left that died before its version counted', async () => {
    manager.put(JSON.stringify({ current: 'd'.repeat(64), previous: [first] }), ['MAILROOMROTATION']);
    expect(manager.current()).toEqual({ current: first });
    expect(await rotate()).toBe(2);
    expect(manager.current().previous).toEqual([first]);
  });

  it('refuses what is no secret, and does not print it', async () => {
    manager.put('{"current": "too short to be safe"}', ['AWSCURRENT']);
    await expect(rotate()).rejects.toThrow(/^The service secret is not \{"current": "…", "previous": \["…"\]\}/);
    expect(manager.calls).toEqual(['GetSecretValue']);
  });
});
