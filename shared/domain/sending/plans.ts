export const planNames = ['free', 'starter', 'growth', 'scale'] as const;

export type PlanName = (typeof planNames)[number];

export const plans: Readonly<Record<PlanName, { readonly monthlyQuota: number }>> = {
  free: { monthlyQuota: 3_000 },
  starter: { monthlyQuota: 50_000 },
  growth: { monthlyQuota: 500_000 },
  scale: { monthlyQuota: 5_000_000 },
};

/** The month in UTC that a send counts in: `2026-11`. */
export function monthOf(date: Date): string {
  return date.toISOString().slice(0, 7);
}

/** When the next month begins, ISO 8601 UTC. */
export function quotaResetsAt(date: Date): string {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)).toISOString();
}
