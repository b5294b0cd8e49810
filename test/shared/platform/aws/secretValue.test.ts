import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SecretsClient, secretValue } from '../../../../shared/platform/aws/secretValue.ts';
import { itTriesAgainAsTheSdk, type Pair, usePair } from './besideSdk.ts';
import { failureOf, type Script, tell, waitingTheirPart } from './jsonServer.ts';

const pair: Pair<SecretsClient, SecretsManagerClient> = {
  variable: 'AWS_ENDPOINT_URL_SECRETS_MANAGER',
  own: (policy) => new SecretsClient(policy),
  sdk: (options) => new SecretsManagerClient(options),
};
const clients = usePair(pair);
const SecretId = 'arn:aws:secretsmanager:us-east-1:000000000000:secret:é';
const askSdk = (sdk: SecretsManagerClient) => sdk.send(new GetSecretValueCommand({ SecretId }));
const refused =
  (name: string, status = 400): Script =>
  (response) =>
    tell(response, { __type: name, Message: 'Refused.' }, status, { 'x-amzn-RequestId': 'request-1' });

describe('a secret', () => {
  it('is asked for as the SDK asks', async () => {
    clients.server.answerBy((response) => tell(response, { SecretString: 'é' }));
    expect([await clients.own.read(SecretId), (await askSdk(clients.sdk)).SecretString]).toEqual(['é', 'é']);
    const [own, theirs] = clients.server.heard.map(({ operation, input, headers }) => {
      const { host, 'content-type': type, 'x-amz-target': target, authorization } = headers;
      const scope = authorization?.replace(/, (SignedHeaders|Signature)=.*/, '');
      return { operation, input, host, type, target, scope, length: headers['content-length'] };
    });
    expect(own).toEqual(theirs);
  });

  it('is empty when it holds bytes', async () => {
    clients.server.answerBy((response) => tell(response, { SecretBinary: 'AAE=' }));
    expect(await secretValue(SecretId)).toBe('');
  });

  it.each([
    ['ResourceNotFoundException', 400, 1],
    ['DecryptionFailure', 400, 1],
    ['InvalidRequestException', 400, 1],
    ['AccessDeniedException', 400, 1],
    ['ExpiredTokenException', 400, 1],
    ['ThrottlingException', 400, 3],
    ['InternalServiceError', 500, 3],
  ])('fails by %s as for the SDK, and is asked for as often', async (name, status, attempts) => {
    waitingTheirPart(0);
    clients.server.answerBy(refused(name, status));
    const error = await failureOf(clients.own.read(SecretId));
    expect(clients.server.heard).toHaveLength(attempts);
    const theirs = await failureOf(askSdk(clients.sdk));
    expect(clients.server.heard).toHaveLength(2 * attempts);
    const told = { name, message: 'Refused.', $metadata: { httpStatusCode: status, requestId: 'request-1' } };
    expect(theirs).toMatchObject(told);
    expect(error).toMatchObject(told);
  });
});

itTriesAgainAsTheSdk({
  pair,
  ask: (own) => own.read(SecretId),
  askSdk,
  attempts: 3,
  serverError: refused('InternalServiceError', 500),
  throttle: { name: 'ThrottlingException', script: refused('ThrottlingException') },
});
