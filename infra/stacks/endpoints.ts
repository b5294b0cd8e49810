import { Stack, type StackProps } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { sendEmailRoute } from '../../shared/contract/routes/emails.ts';
import { constructId } from '../constructs/constructId.ts';
import { grantPipeline } from '../constructs/needs.ts';
import { acknowledgeFunctions, ServiceFunction, type SharedFunctionProps } from '../constructs/serviceFunction.ts';
import type { Endpoint } from '../endpoints.ts';

export interface EndpointsStackProps extends StackProps {
  readonly group: string;
  readonly endpoints: readonly Endpoint[];
  readonly shared: SharedFunctionProps;
}

/** API Gateway's limit for a call. */
const longestCallSeconds = 29;

/** The functions of one group of endpoints, each with its role. */
export class EndpointsStack extends Stack {
  readonly handlers: ReadonlyMap<Endpoint, IFunction>;

  constructor(scope: Construct, id: string, { group, endpoints, shared, ...props }: EndpointsStackProps) {
    super(scope, id, { ...props, description: `Mailroom: functions of ${group}` });
    this.handlers = new Map(endpoints.map((endpoint) => [endpoint, this.#add(endpoint, shared)]));
    acknowledgeFunctions(this);
  }

  #add(endpoint: Endpoint, shared: SharedFunctionProps): IFunction {
    const { memoryMegabytes, timeoutSeconds = longestCallSeconds, entry } = endpoint.function;
    const { handler, role } = new ServiceFunction(this, constructId(endpoint.id), {
      ...shared,
      name: endpoint.id,
      description: `Mailroom: ${endpoint.method} ${endpoint.path}`,
      entry,
      needs: endpoint.needs,
      timeoutSeconds,
      ...(memoryMegabytes && { memoryMegabytes }),
      reservedConcurrency: endpoint.id === sendEmailRoute.id ? shared.settings.reservedConcurrency.sending : undefined,
    });
    if (endpoint.kind === 'route') grantPipeline(role, shared.resources, shared.settings);
    return handler;
  }
}
