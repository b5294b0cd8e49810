import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { SentMessage } from './sesEvents.ts';

/** How the provider behaves. */
export interface ProviderRules {
  /** How long a call takes. */
  readonly latencyMilliseconds: number;
  /** What GetAccount answers: recipients a second. */
  readonly perSecond: number;
  /** Whether it throttles at that rate, with a token bucket of one second. */
  readonly isLimited: boolean;
  /** Refuses everything, as after a sending pause of the account. */
  readonly isPaused: boolean;
  /** Whether it keeps the messages that it accepted. */
  readonly isKept?: boolean;
}

/** Since its rules were last changed. */
export interface ProviderCounts {
  /** When the last SendBulkEmail was answered, milliseconds on the provider's clock. */
  readonly lastCallAt: number;
  /** Of SendBulkEmail. */
  readonly calls: number;
  readonly entries: number;
  readonly accepted: number;
  readonly throttled: number;
  /** Entries to an address that had a message already. */
  readonly repeated: number;
  readonly taken: readonly SentMessage[];
}

export type ProviderRequest =
  | { readonly kind: 'rules'; readonly rules: Partial<ProviderRules> }
  | { readonly kind: 'counts' | 'taken' };

export interface StubProvider {
  readonly endpoint: string;
  /** Sets the rules and resets the counts. Without a rule: accepts everything at once. */
  behave(rules: Partial<ProviderRules>): Promise<void>;
  counts(): Promise<ProviderCounts>;
  taken(): Promise<readonly SentMessage[]>;
  stop(): void;
}

export async function startStubProvider(): Promise<StubProvider> {
  const child = fork(join(import.meta.dirname, 'providerProcess.ts'), { env: { ...process.env, BENCH_SECTION: '' } });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return {
    endpoint: `http://127.0.0.1:${port}`,
    behave: async (rules) => {
      await ask(child, { kind: 'rules', rules });
    },
    counts: () => ask(child, { kind: 'counts' }),
    taken: async () => (await ask(child, { kind: 'taken' })).taken,
    stop: () => child.disconnect(),
  };
}

async function ask(child: ChildProcess, request: ProviderRequest): Promise<ProviderCounts> {
  child.send(request);
  return (await once(child, 'message'))[0] as ProviderCounts;
}
