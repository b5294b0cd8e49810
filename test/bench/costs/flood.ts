import { apiDefinition } from '../../../infra/constructs/apiDefinition.ts';
import { consoleEndpoints, type Endpoint, endpoints } from '../../../infra/endpoints.ts';
import { parseSettings } from '../../../infra/settings.ts';
import type { Throttle } from '../../../shared/contract/route.ts';
import { methodsOf } from '../../../shared/contract/routing.ts';
import prices from '../prices.json' with { type: 'json' };
import { dollarsOf } from './consumption.ts';

/** What strangers may call for as long as nobody acts, and what it costs the owner: list prices, nothing free. */
export interface Flood {
  /** Methods, each with a throttle of its own. */
  readonly methods: number;
  readonly callsPerSecond: number;
  readonly dollarsPerHour: number;
}

/** By who could call it with success: anybody, keys, operators, nobody. */
export type FloodKind = 'open' | 'key' | 'console' | 'others';

const secondsOfHour = 3600;
/** A refusal takes some milliseconds of processor; a page and its reads of the table take no more. */
const milliseconds = 10;
const logBytes = 800;
const usualAnswerBytes = 6 * 1024;
const gigabyte = 1024 ** 3;

const { throttles } = parseSettings({});

/** The most that one call without a key makes the owner pay. */
function dollarsOfCall({ kind, needs, function: { memoryMegabytes = 512 } }: Endpoint, answerBytes: number): number {
  const parts = dollarsOf({
    gatewayCalls: 1,
    functionCalls: 1,
    gigabyteSeconds: (memoryMegabytes / 1024) * (milliseconds / 1000),
    // A call without a usable key is counted by its source. A page looks its link up, or counts a sign-up.
    writeUnits: kind === 'route' || needs.table === 'readWrite' ? 1 : 0,
    readUnits: kind === 'page' && needs.table ? 2 : 0,
    logBytes,
  });
  return (
    Object.values(parts).reduce((sum, dollars) => sum + dollars, 0) + (answerBytes / gigabyte) * prices.egressGigabyte
  );
}

/** Calls a second at which a method's throttle lets them through; HEAD has the throttle of what nobody should call. */
const rateOf = (throttle: Throttle, method: string): number =>
  throttles[method === 'HEAD' ? 'others' : throttle].perSecond;

const open: ReadonlySet<Throttle> = new Set(['pages', 'leaving', 'documents', 'others']);
const kindOf = ({ throttle }: Endpoint): FloodKind =>
  throttle === 'console' ? 'console' : open.has(throttle) ? 'open' : 'key';

/** The number of methods that no endpoint has, on the paths of all that have one. */
function otherMethods(all: readonly Endpoint[]): number {
  const invocable = (functionArn: string) => ({ handler: { functionArn } as never, invoker: {} as never });
  const document = apiDefinition({
    name: 'flood',
    targets: all.map((endpoint) => ({ ...endpoint, methods: methodsOf(endpoint), ...invocable('endpoint') })),
    fallback: invocable('fallback'),
    settings: parseSettings({}),
  });
  return JSON.stringify(document).split('functions/fallback/').length - 1;
}

/** The cost of a flood of every method at once, by kind. `documentBytes`: uncompressed, as who wants to harm asks for it. */
export function floods(documentBytes: (endpoint: Endpoint) => number | undefined): Readonly<Record<FloodKind, Flood>> {
  const all = [...endpoints, ...consoleEndpoints];
  const sums: Record<FloodKind, Flood> = {
    open: { methods: 0, callsPerSecond: 0, dollarsPerHour: 0 },
    key: { methods: 0, callsPerSecond: 0, dollarsPerHour: 0 },
    console: { methods: 0, callsPerSecond: 0, dollarsPerHour: 0 },
    others: { methods: 0, callsPerSecond: 0, dollarsPerHour: 0 },
  };
  const add = (kind: FloodKind, methods: number, perSecond: number, dollars: number) => {
    const { methods: counted, callsPerSecond, dollarsPerHour } = sums[kind];
    sums[kind] = {
      methods: counted + methods,
      callsPerSecond: callsPerSecond + methods * perSecond,
      dollarsPerHour: dollarsPerHour + methods * perSecond * secondsOfHour * dollars,
    };
  };
  for (const endpoint of all) {
    for (const method of methodsOf(endpoint)) {
      const bytes = method === 'HEAD' ? 0 : (documentBytes(endpoint) ?? usualAnswerBytes);
      add(kindOf(endpoint), 1, rateOf(endpoint.throttle, method), dollarsOfCall(endpoint, bytes));
    }
  }
  const refusal = { kind: 'route', needs: {}, function: { entry: '' } } as unknown as Endpoint;
  add('others', otherMethods(all), throttles.others.perSecond, dollarsOfCall(refusal, 1024));
  return sums;
}

/** The dollars an hour that one further method of a throttle adds, of a route that wants a key. */
export const dollarsOfMethod = (throttle: Throttle): number =>
  throttles[throttle].perSecond *
  secondsOfHour *
  dollarsOfCall({ kind: 'route', needs: {}, function: { entry: '' } } as unknown as Endpoint, 1024);
