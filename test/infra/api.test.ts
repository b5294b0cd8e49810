import { CrossStackReferences, ReferenceStrength, Stack } from 'aws-cdk-lib';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { Api } from '../../infra/constructs/api.ts';
import { parseSettings } from '../../infra/settings.ts';
import { uncheckedApp } from './uncheckedApp.ts';

interface Route {
  readonly id: string;
  readonly path: string;
  readonly methods: readonly string[];
}

/** The logical id of the deployment of an API whose functions lie in another stack. */
function deploymentOf(routes: readonly Route[], changed: object = {}): string {
  const app = uncheckedApp();
  const settings = parseSettings(changed);
  const env = { region: settings.region };
  const functions = new Stack(app, 'Functions', { env });
  const handler = (id: string) =>
    new LambdaFunction(functions, id, { runtime: Runtime.NODEJS_24_X, handler: 'i.h', code: Code.fromInline('0') });
  const stack = new Stack(app, 'Api', { env });
  CrossStackReferences.of(stack).consume(ReferenceStrength.WEAK);
  const targets = routes.map((route) => ({ ...route, budget: 'routes' as const, handler: handler(route.id) }));
  new Api(stack, 'Api', { settings, targets, fallback: handler('Fallback') });
  const { Resources } = app.synth().getStackByName('Api').template;
  const found = Object.keys(Resources).filter((id) => Resources[id].Type === 'AWS::ApiGateway::Deployment');
  const stage = Object.values<{ Type: string; Properties: { DeploymentId?: { Ref: string } } }>(Resources).find(
    ({ Type }) => Type === 'AWS::ApiGateway::Stage',
  );
  expect(found).toEqual([stage?.Properties.DeploymentId?.Ref]);
  return found[0] ?? '';
}

describe('the deployment of the API', () => {
  const list = { id: 'List', path: '/things', methods: ['GET'] };
  const routes = [list, { id: 'Get', path: '/things/{id}', methods: ['GET'] }];

  it('stays while nothing of the API changes, whatever becomes of the stage', () => {
    const before = deploymentOf(routes);
    expect(deploymentOf(routes)).toBe(before);
    expect(deploymentOf(routes, { emailRetentionDays: 7 })).toBe(before);
  });

  it.each([
    ['a method', [{ ...list, methods: ['GET', 'HEAD'] }, ...routes.slice(1)]],
    ['a path', [{ ...list, path: '/things/all' }, ...routes.slice(1)]],
    ['the function behind it', [{ ...list, id: 'Other' }, ...routes.slice(1)]],
    ['the number of routes', routes.slice(1)],
  ])('is made anew when %s changes', (_, changed) => {
    expect(deploymentOf(changed)).not.toBe(deploymentOf(routes));
  });
});
