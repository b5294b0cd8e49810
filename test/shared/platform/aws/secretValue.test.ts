import { secretValue } from '../../../../shared/platform/secret.ts';
import { failureOf, startJsonServer, tell } from './jsonServer.ts';

let server: Awaited<ReturnType<typeof startJsonServer>>;
beforeAll(async () => {
  server = await startJsonServer();
  Object.assign(process.env, {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_SECRETS_MANAGER: server.endpoint,
  });
});
afterAll(() => server.stop());

describe('a secret', () => {
  it('is read by its id', async () => {
    server.answerBy((response) => tell(response, { SecretString: 'é' }));
    expect(await secretValue('secret')).toBe('é');
    expect(server.heard).toMatchObject([{ operation: 'GetSecretValue', input: { SecretId: 'secret' } }]);
  });

  it('is empty when it holds bytes', async () => {
    server.answerBy((response) => tell(response, { SecretBinary: 'AAE=' }));
    expect(await secretValue('secret')).toBe('');
  });

  it('that is refused fails by the name of the refusal', async () => {
    server.answerBy((response) => tell(response, { __type: 'AccessDeniedException', Message: 'Refused.' }, 400));
    expect(await failureOf(secretValue('secret'))).toMatchObject({ name: 'AccessDeniedException' });
    expect(server.heard).toHaveLength(1);
  });
});
