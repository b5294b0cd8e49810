import { Aws } from 'aws-cdk-lib';
import type { IRole } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Throttle } from '../../shared/contract/route.ts';
import type { Settings } from '../settings.ts';
import { gatewayResponses } from './gatewayResponses.ts';

/** A function, and the role by which API Gateway invokes it. */
interface Invocable {
  readonly handler: IFunction;
  readonly invoker: IRole;
}

/** The function behind some methods of a path. */
export interface ApiTarget extends Invocable {
  readonly methods: readonly string[];
  readonly path: string;
  readonly throttle: Throttle;
}

export interface ApiDefinitionProps {
  readonly name: string;
  readonly targets: readonly ApiTarget[];
  /** Answers everything that no target does: other methods of their paths, and unknown paths. */
  readonly fallback: Invocable;
  readonly settings: Settings;
}

/** The methods of a REST API. */
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Media types that pass unchanged (infra/constructs/api.ts says why all). */
export const binaryMediaTypes = ['*/*'];

/**
 * The whole API as one document (API Gateway Developer Guide, "OpenAPI extensions"; Swagger 2.0, which has them at the top
 * level). An import overwrites the API, so that its properties are repeated here.
 */
export function apiDefinition({ name, targets, fallback, settings }: ApiDefinitionProps): object {
  const { region, requestsPerMinute, closeDefaultHost } = settings;
  const paths = new Map<string, Map<string, Invocable>>([['/{proxy+}', new Map()]]);
  for (const target of targets) {
    for (const parent of parentsOf(target.path)) if (!paths.has(parent)) paths.set(parent, new Map());
    for (const method of target.methods) paths.get(target.path)?.set(method, target);
  }
  return {
    swagger: '2.0',
    info: { title: name, version: '1' },
    'x-amazon-apigateway-binary-media-types': binaryMediaTypes,
    'x-amazon-apigateway-endpoint-configuration': { disableExecuteApiEndpoint: closeDefaultHost },
    'x-amazon-apigateway-gateway-responses': gatewayResponses(requestsPerMinute),
    paths: Object.fromEntries(
      [...paths]
        .sort(byPath)
        .map(([path, handlers]) => [
          path,
          Object.fromEntries(
            methods.map((method) => [method.toLowerCase(), operation(path, handlers.get(method) ?? fallback, region)]),
          ),
        ]),
    ),
  };
}

/** `/api/v1/emails` and its parents, `/` first: they are answered as well. */
function parentsOf(path: string): string[] {
  const parts = path.split('/').slice(1);
  return ['/', ...parts.map((_, index) => `/${parts.slice(0, index + 1).join('/')}`)];
}

const byPath = ([one]: [string, unknown], [other]: [string, unknown]): number => (one < other ? -1 : 1);

function parametersOf(path: string): object[] {
  const names = [...path.matchAll(/\{(\w+)\+?\}/g)].map(([, name]) => name);
  return names.map((name) => ({ name, in: 'path', required: true, type: 'string' }));
}

function operation(path: string, { handler, invoker }: Invocable, region: string): object {
  return {
    parameters: parametersOf(path),
    responses: {},
    'x-amazon-apigateway-integration': {
      type: 'aws_proxy',
      httpMethod: 'POST',
      credentials: invoker.roleArn,
      uri: `arn:${Aws.PARTITION}:apigateway:${region}:lambda:path/2015-03-31/functions/${handler.functionArn}/invocations`,
    },
  };
}
