import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import type { BundledFunction } from '../../infra/bundle.ts';
import { entries } from '../../infra/endpoints.ts';
import { parseSettings } from '../../infra/settings.ts';
import { addDeployment } from '../../infra/stacks/deployment.ts';
import { synthesisTimeoutMilliseconds, type Template } from './synthesis.ts';
import { uncheckedApp } from './uncheckedApp.ts';

/** Nothing that a synthesis would have to warn of. */
const certificateArn = 'arn:aws:acm:us-east-1:111122223333:certificate/4a7c';
const quiet = { alarmEmail: 'a@example.com', domains: [{ name: 'mail.example.com', certificateArn }] };

jest.setTimeout(synthesisTimeoutMilliseconds);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mailroom-console-'));
  mkdirSync(join(folder, 'code'));
  writeFileSync(join(folder, 'code', 'index.mjs'), '');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The templates by the ends of their names, without what the checks of a synthesis add. */
function templatesOf(settings: object): ReadonlyMap<string, Template> {
  const outdir = join(folder, 'out');
  const app = uncheckedApp(outdir);
  const bundle: BundledFunction = { folder: join(folder, 'code'), bytes: 0, modules: [] };
  addDeployment(app, parseSettings({ ...quiet, ...settings }), new Map(entries.map((entry) => [entry, bundle])));
  return new Map(
    app.synth().stacks.map(({ stackName, template }) => [stackName.replace(/^mailroom-prod-?/, ''), template]),
  );
}

function variablesOf(template: Template | undefined): Record<string, unknown> {
  const stage = Object.values(template?.Resources ?? {}).find(({ Type }) => Type === 'AWS::ApiGateway::Stage');
  return stage?.Properties.Variables ?? {};
}

describe('a deployment without a console', () => {
  it('has none of its paths, functions, accounts and settings', () => {
    const templates = templatesOf({ console: { deployed: false } });
    expect(templates.has('console')).toBe(false);
    const everything = JSON.stringify([...templates.values()]);
    expect(everything).not.toMatch(/\/console\b|AWS::Cognito|OIDC_/);
    expect(Object.keys(variablesOf(templates.get('')))).toContain('PUBLIC_URL');
  });
});

describe('a deployment with another provider for its console', () => {
  it('names it, without any secret, and makes no accounts', () => {
    const provider = { issuer: 'https://login.example.com', clientId: 'mailroom' };
    const templates = templatesOf({ console: { provider } });
    expect(templates.has('console')).toBe(true);
    expect(JSON.stringify([...templates.values()])).not.toMatch(/AWS::Cognito|cognito-idp:/);
    expect(variablesOf(templates.get(''))).toMatchObject({
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: provider.clientId,
    });
    expect(variablesOf(templates.get(''))).not.toHaveProperty('OIDC_CLIENT_SECRET_ID');
  });
});
