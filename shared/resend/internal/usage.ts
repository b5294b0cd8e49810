import type { usageRoute } from '../../contract/routes/account.ts';
import type { listDomainsRoute } from '../../contract/routes/domains.ts';
import { now } from '../../platform/clock.ts';
import { config } from '../../platform/config.ts';
import { type ClientAnswer, type ClientCall, type Resend, type Translation, translation } from './translation.ts';

type ClientUsage = ClientAnswer<Resend['usage']['get']>;

/** What is counted here too; a workspace has no limit of its contacts, segments and broadcasts as such. */
type Counted = Pick<ClientUsage, 'object' | 'emails' | 'domains' | 'rate_limit'>;

const dayMilliseconds = 86_400_000;

async function get(call: ClientCall): Promise<Counted> {
  const { days, quota } = await call.rest<typeof usageRoute>('GET', '/api/v1/usage', { query: { days: 31 } });
  const { data } = await call.rest<typeof listDomainsRoute>('GET', '/api/v1/domains', { query: { limit: 100 } });
  const month = days.at(-1)?.date.slice(0, 7) ?? '';
  const sentIn = (period: string) =>
    days.filter(({ date }) => date.startsWith(period)).reduce((sum, { sent }) => sum + sent, 0);
  const today = days.at(-1)?.date ?? '';
  const tomorrow = (Math.floor(now().getTime() / dayMilliseconds) + 1) * dayMilliseconds;
  return {
    object: 'usage',
    emails: {
      daily: {
        ...{ used: sentIn(today), limit: null, sent: sentIn(today), received: 0 },
        resets_at: new Date(tomorrow).toISOString(),
      },
      monthly: { used: quota.used, limit: quota.limit, sent: sentIn(month), received: 0, resets_at: quota.resets_at },
    },
    domains: { used: data.length, limit: null },
    rate_limit: { limit: config('REQUESTS_PER_MINUTE'), duration: '1m' },
  };
}

export const usageTranslations: readonly Translation[] = [translation({ method: 'GET', path: '/usage', answer: get })];
