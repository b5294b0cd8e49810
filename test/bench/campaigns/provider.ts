import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** How the provider behaves from now on. */
export interface ProviderRules {
  /** How long a call takes. */
  readonly latencyMilliseconds: number;
  /** What GetAccount answers: recipients a second. */
  readonly perSecond: number;
  /** Whether it holds the account to that, by a bucket of the capacity of one second. */
  readonly isLimited: boolean;
  /** Takes nothing, as after a sending pause of the account. */
  readonly isPaused: boolean;
  /** Whether it keeps what it took, for events to be made of it. */
  readonly isKept?: boolean;
}

/** A message that the provider took. */
export interface TakenMessage {
  readonly id: string;
  readonly address: string;
  readonly tags: Readonly<Record<string, string>>;
  /** Unix milliseconds. */
  readonly at: number;
}

/** What it has seen since its rules were last changed. */
export interface ProviderCounts {
  /** When the last SendBulkEmail was answered, milliseconds on the provider's clock. */
  readonly lastCallAt: number;
  /** Of SendBulkEmail. */
  readonly calls: number;
  readonly entries: number;
  readonly accepted: number;
  readonly throttled: number;
  /** Entries to somebody who had got one already. */
  readonly repeated: number;
  /** Single emails. */
  readonly singles: number;
  readonly singlesRefused: number;
  readonly taken: readonly TakenMessage[];
}

export type ProviderRequest =
  | { readonly kind: 'rules'; readonly rules: Partial<ProviderRules> }
  | { readonly kind: 'counts' | 'taken' };

export interface StubProvider {
  readonly endpoint: string;
  /** Takes these rules (what is left out: takes all at once), and counts anew. */
  behave(rules: Partial<ProviderRules>): Promise<void>;
  counts(): Promise<ProviderCounts>;
  taken(): Promise<readonly TakenMessage[]>;
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
