import { type Stack, Validations } from 'aws-cdk-lib';

const findings = {
  'Serverless-LambdaTracing': 'Requests are followed by their id in the logs; traces would cost per call.',
  'Serverless-LambdaDLQ':
    'API Gateway and SQS wait for the answer, so a failed call is seen or received again; what a rule starts is made ' +
    'up for by its next run.',
  'Serverless-LambdaAsyncFailureDestination':
    'As for Serverless-LambdaDLQ: nothing that must not be lost is asynchronous.',
};

/** What cdk-nag finds at every function of this service, with the reason why it stays so. */
export function acknowledgeFunctions(stack: Stack): void {
  Validations.of(stack).acknowledge(...Object.entries(findings).map(([id, reason]) => ({ id, reason })));
}
