import {
  credentialVariables,
  engineVariables,
  givenEndpoint,
} from '../../../../infra/local/engines/engineEnvironment.ts';

describe('givenEndpoint', () => {
  it('prefers the endpoint of the service, and ignores an empty one', () => {
    const env = { AWS_ENDPOINT_URL: 'http://all', AWS_ENDPOINT_URL_SQS: 'http://sqs', AWS_ENDPOINT_URL_SNS: '' };
    expect(givenEndpoint(env, 'SQS')).toBe('http://sqs');
    expect(givenEndpoint(env, 'SNS')).toBe('http://all');
    expect(givenEndpoint({ AWS_ENDPOINT_URL: '' }, 'SQS')).toBeUndefined();
  });
});

describe('credentialVariables', () => {
  it("never signs for local engines with the user's own keys or profile", () => {
    const variables = credentialVariables({ AWS_ACCESS_KEY_ID: 'AKIA', AWS_PROFILE: 'work', AWS_SESSION_TOKEN: 'x' });
    expect(variables).toEqual({
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_SESSION_TOKEN: '',
      AWS_PROFILE: '',
    });
  });

  it("uses the user's credentials for the user's endpoints, and invented ones without any", () => {
    const endpoint = { AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:8000' };
    expect(credentialVariables({ ...endpoint, AWS_PROFILE: 'work' })).toEqual({});
    expect(credentialVariables({ ...endpoint, AWS_ACCESS_KEY_ID: 'AKIA' })).toEqual({});
    expect(credentialVariables(endpoint).AWS_ACCESS_KEY_ID).toBe('local');
  });
});

describe('engineVariables', () => {
  it("limits requests to the local engine, and not to the user's own table", () => {
    expect(engineVariables({})).toEqual({ TABLE_SCAN_SEGMENTS: '1', TRANSACTIONS_AT_ONCE: '1' });
    expect(engineVariables({ AWS_ENDPOINT_URL_SQS: 'http://sqs' })).toEqual(engineVariables({}));
    expect(engineVariables({ AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:8000' })).toEqual({});
  });
});
