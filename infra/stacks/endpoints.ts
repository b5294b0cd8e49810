import { Stack, type StackProps } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { sendEmailRoute } from '../../shared/contract/routes/emails.ts';
import { acknowledgeFunctions } from '../constructs/acknowledgements.ts';
import { constructId } from '../constructs/constructId.ts';
import { grantPipeline } from '../constructs/needs.ts';
import { type FunctionSurroundings, ServiceFunction } from '../constructs/serviceFunction.ts';
import type { Endpoint } from '../endpoint.ts';

export interface EndpointsStackProps extends StackProps {
  readonly group: string;
  readonly endpoints: readonly Endpoint[];
  readonly surroundings: FunctionSurroundings;
}

/** API Gateway's own limit for a call. */
const longestCallSeconds = 29;

/** The functions of one group of endpoints, each with its role. */
export class EndpointsStack extends Stack {
  readonly handlers: ReadonlyMap<Endpoint, IFunction>;

  constructor(scope: Construct, id: string, { group, endpoints, surroundings, ...props }: EndpointsStackProps) {
    super(scope, id, { ...props, description: `Mailroom: functions of ${group}` });
    this.handlers = new Map(endpoints.map((endpoint) => [endpoint, this.#add(endpoint, surroundings)]));
    acknowledgeFunctions(this);
  }

  #add(endpoint: Endpoint, surroundings: FunctionSurroundings): IFunction {
    const { memoryMegabytes, timeoutSeconds = longestCallSeconds, entry } = endpoint.function;
    const { handler, role } = new ServiceFunction(this, constructId(endpoint.id), {
      ...surroundings,
      name: endpoint.id,
      description: `Mailroom: ${endpoint.method} ${endpoint.path}`,
      entry,
      needs: endpoint.needs,
      timeoutSeconds,
      ...(memoryMegabytes && { memoryMegabytes }),
      reservedConcurrency:
        endpoint.id === sendEmailRoute.id ? surroundings.settings.reservedConcurrency.sending : undefined,
    });
    if (endpoint.kind === 'route') grantPipeline(role, surroundings.resources);
    return handler;
  }
}
