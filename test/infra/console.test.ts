import { type Template, templatesOf } from './deployment.ts';

function variablesOf(template: Template | undefined): Record<string, unknown> {
  const stage = Object.values(template?.Resources ?? {}).find(({ Type }) => Type === 'AWS::ApiGateway::Stage');
  return stage?.Properties.Variables ?? {};
}

describe('a deployment without a console', () => {
  it('has none of its paths, functions, accounts and settings', () => {
    const templates = templatesOf({ console: { deployed: false } });
    expect(templates.has('mailroom-prod-console')).toBe(false);
    const everything = JSON.stringify([...templates.values()]);
    expect(everything).not.toMatch(/\/console\b|AWS::Cognito|OIDC_/);
    expect(Object.keys(variablesOf(templates.get('mailroom-prod')))).toContain('PUBLIC_URL');
  });
});

describe('a deployment with another provider for its console', () => {
  it('has the provider in its variables, without any secret, and no user pool', () => {
    const provider = { issuer: 'https://login.example.com', clientId: 'mailroom' };
    const templates = templatesOf({ console: { provider } });
    expect(templates.has('mailroom-prod-console')).toBe(true);
    expect(JSON.stringify([...templates.values()])).not.toMatch(/AWS::Cognito|cognito-idp:/);
    expect(variablesOf(templates.get('mailroom-prod'))).toMatchObject({
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: provider.clientId,
    });
    expect(variablesOf(templates.get('mailroom-prod'))).not.toHaveProperty('OIDC_CLIENT_SECRET_ID');
  });
});
