import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { CloudFormationClient, GetTemplateCommand } from '@aws-sdk/client-cloudformation';
import { partition } from '@aws-sdk/core/client';
import { defaultProvider } from '@aws-sdk/credential-provider-node';
import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import * as z from 'zod';
import { config, hasConfig } from '../config.ts';
import { HttpClient } from '../httpClient.ts';
import { connection, usualPolicy } from './clients.ts';

/** The throttle of one method at API Gateway. */
export interface MethodThrottle {
  /** In API Gateway's notation: `~1api~1v1~1emails/POST`; `*` + `/*` is every method without a throttle of its own. */
  readonly method: string;
  /** Calls per second. */
  readonly rate: number;
  /** Concurrent calls (burst). */
  readonly burst: number;
}

const template = z.looseObject({
  Resources: z.record(
    z.string(),
    z.looseObject({
      Type: z.string(),
      Properties: z.looseObject({ MethodSettings: z.array(z.unknown()).optional() }).optional(),
    }),
  ),
});

const methodSetting = z.looseObject({
  ResourcePath: z.string(),
  HttpMethod: z.string(),
  ThrottlingRateLimit: z.number(),
  ThrottlingBurstLimit: z.number(),
});

/** The throttles in the deployed template, without later changes. */
export async function deployedThrottles(): Promise<MethodThrottle[]> {
  const client = new CloudFormationClient(connection());
  try {
    const { TemplateBody } = await client.send(new GetTemplateCommand({ StackName: config('STACK_NAME') }));
    const { Resources } = template.parse(JSON.parse(TemplateBody ?? '{}'));
    const stages = Object.values(Resources).filter(({ Type }) => Type === 'AWS::ApiGateway::Stage');
    return stages
      .flatMap(({ Properties }) => z.array(methodSetting).parse(Properties?.MethodSettings ?? []))
      .map(({ ResourcePath, HttpMethod, ThrottlingRateLimit, ThrottlingBurstLimit }) => ({
        method: `${ResourcePath.slice(1)}/${HttpMethod}`,
        rate: ThrottlingRateLimit,
        burst: ThrottlingBurstLimit,
      }));
  } finally {
    client.destroy();
  }
}

const stage = z.looseObject({
  methodSettings: z
    .record(z.string(), z.looseObject({ throttlingRateLimit: z.number(), throttlingBurstLimit: z.number() }))
    .default({}),
});

/** The throttles that apply now (API Gateway REST API reference, `stage:by-name`). */
export async function currentThrottles(): Promise<MethodThrottle[]> {
  const { methodSettings } = stage.parse(await callStage('GET'));
  return Object.entries(methodSettings).map(([method, { throttlingRateLimit, throttlingBurstLimit }]) => ({
    method,
    rate: throttlingRateLimit,
    burst: throttlingBurstLimit,
  }));
}

/** Limits the size of a request. Each request is complete in itself, so repeating it changes nothing. */
const methodsOfCall = 40;

/** Sets throttles of the stage (`UpdateStage`). They apply within seconds; no other setting changes. */
export async function setThrottles(throttles: readonly MethodThrottle[]): Promise<void> {
  for (let start = 0; start < throttles.length; start += methodsOfCall) {
    const patchOperations = throttles.slice(start, start + methodsOfCall).flatMap(({ method, rate, burst }) => [
      { op: 'replace', path: `/${method}/throttling/rateLimit`, value: String(rate) },
      { op: 'replace', path: `/${method}/throttling/burstLimit`, value: String(burst) },
    ]);
    await callStage('PATCH', { patchOperations });
  }
}

const http = /* @__PURE__ */ new HttpClient(usualPolicy);
const credentials = /* @__PURE__ */ defaultProvider();
const retryWaitsMilliseconds = [500, 1000, 2000, 4000];

/**
 * Two operations of API Gateway, signed with the SDK's signer: for them alone, the whole client is not worth a
 * dependency.
 */
async function callStage(method: 'GET' | 'PATCH', content?: object): Promise<unknown> {
  const region = config('AWS_REGION');
  const endpoint = hasConfig('AWS_ENDPOINT_URL_API_GATEWAY')
    ? config('AWS_ENDPOINT_URL_API_GATEWAY')
    : `https://apigateway.${region}.${partition(region).dnsSuffix}`;
  const url = new URL(`/restapis/${config('REST_API_ID')}/stages/${config('STAGE_NAME')}`, endpoint);
  const body = content && JSON.stringify(content);
  const signer = new SignatureV4({ service: 'apigateway', region, credentials, sha256: Sha256 });
  for (let round = 0; ; round += 1) {
    const request = await signer.sign({
      method,
      protocol: url.protocol,
      hostname: url.hostname,
      path: url.pathname,
      headers: { host: url.host, accept: 'application/json', ...(body && { 'content-type': 'application/json' }) },
      body,
    });
    const { protocol, hostname, port, pathname } = url;
    const response = await http.send({
      method,
      protocol,
      hostname,
      port,
      path: pathname,
      headers: request.headers,
      body,
    });
    const { statusCode = 0 } = response;
    const answer = await text(response);
    if (statusCode >= 200 && statusCode < 300) return JSON.parse(answer);
    const pause = retryWaitsMilliseconds[round];
    const isPassing = statusCode === 429 || statusCode >= 500;
    if (!isPassing || pause === undefined) {
      throw new Error(`API Gateway answered ${method} of the stage with ${statusCode}: ${answer}`);
    }
    await wait(pause);
  }
}
