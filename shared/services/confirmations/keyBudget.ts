import { ServiceError } from '../../contract/errors.ts';
import { type PlanName, plans } from '../../domain/sending/quota.ts';
import { config } from '../../platform/config.ts';
import { logger } from '../../platform/logger.ts';
import {
  type ConfirmationBudget,
  returnRequestedConfirmation,
  takeRequestedConfirmation,
} from '../../store/serviceMail.ts';

/** Confirmations do not use quota: API keys may request this share of the month's quota. */
const shareOfQuota = 0.1;

/**
 * The budget for the confirmation that one call of an API key may request. `take` may be repeated and counts once; it
 * throws `validation_error` with the reason `confirmation_budget`. `giveBack` is for a call that requested none after
 * all.
 */
export function keyBudget(workspaceId: string, now: Date) {
  let isTaken = false;
  return {
    take: async (plan: PlanName): Promise<void> => {
      const perMonth = Math.floor(plans[plan].monthlyQuota * shareOfQuota);
      const budget = { perMonth, leastPerDay: config('KEY_CONFIRMATIONS_PER_DAY') };
      isTaken ||= await takeRequestedConfirmation(workspaceId, budget, now);
      if (!isTaken) throw budgetUsedUp(budget);
    },
    /** Best effort: one that is not given back is one less for this month. */
    giveBack: async (): Promise<void> => {
      if (!isTaken) return;
      await returnRequestedConfirmation(workspaceId, now).catch((error: unknown) =>
        logger.warn('A confirmation that was not requested stays counted.', error as Error),
      );
    },
  };
}

export type KeyBudget = ReturnType<typeof keyBudget>;

function budgetUsedUp({ perMonth, leastPerDay }: ConfirmationBudget): ServiceError {
  const text = {
    en: `the API keys of this workspace have requested all confirmations that they may: ${perMonth} a month, and ${leastPerDay} on each day after that. Nothing was stored. Try again tomorrow, or send \`false\` and vouch for the consent`,
    fr: `les clés API de cet espace ont demandé toutes les confirmations permises : ${perMonth} par mois, puis ${leastPerDay} par jour. Rien n’a été enregistré. Réessayez demain, ou envoyez \`false\` et attestez le consentement`,
  };
  return new ServiceError('validation_error', {
    text: { en: `double_opt_in: ${text.en}`, fr: `double_opt_in : ${text.fr}` },
    issues: [{ path: 'double_opt_in', text }],
    details: { reason: 'confirmation_budget', per_month: perMonth, per_day: leastPerDay },
  });
}
