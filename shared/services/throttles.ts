import { ServiceError } from '../contract/errors.ts';
import { text } from '../language/text.ts';
import {
  currentThrottles,
  deployedThrottles,
  type MethodThrottle,
  setThrottles,
} from '../platform/aws/stageThrottles.ts';
import { hasConfig } from '../platform/config.ts';
import type { DeploymentContext } from './context.ts';
import { operatorVerb, requireOperator } from './operatorVerb.ts';

const onlyDeployed = text({
  en: 'Only a deployed service has throttles: name its stack with --stack.',
  fr: 'Seul un service déployé a des limites de débit : nommez sa pile avec --stack.',
});

/** `mixed`: the throttles were changed by hand, or a deployment added new ones. */
export type ThrottleState = 'usual' | 'lowered' | 'mixed';

function throttlesJson(state: ThrottleState, throttles: readonly MethodThrottle[], usual: readonly MethodThrottle[]) {
  const byMethod = new Map(usual.map((one) => [one.method, one]));
  return {
    object: 'throttles' as const,
    state,
    methods: throttles.map(({ method, rate, burst }) => ({
      method: readable(method),
      per_second: rate,
      burst,
      usual_per_second: byMethod.get(method)?.rate ?? null,
      usual_burst: byMethod.get(method)?.burst ?? null,
    })),
  };
}

/** `~1api~1v1~1emails/POST` as `POST /api/v1/emails`. */
function readable(method: string): string {
  const slash = method.lastIndexOf('/');
  const path = method.slice(0, slash).replaceAll('~1', '/').replaceAll('~0', '~');
  return path === '*' ? 'all others' : `${method.slice(slash + 1)} ${path}`;
}

/** The current throttles at API Gateway, beside those of the deployment. */
export async function showThrottles(context: DeploymentContext) {
  requireOperator(context, 'platform');
  requireStage();
  const [current, usual] = await Promise.all([currentThrottles(), deployedThrottles()]);
  const now = new Map(current.map((one) => [one.method, one]));
  const known = usual.map((one) => now.get(one.method) ?? one);
  const isUsual = (one: MethodThrottle, index: number) =>
    one.rate === usual[index]?.rate && one.burst === usual[index]?.burst;
  const isLower = (one: MethodThrottle, index: number) => one.rate < (usual[index]?.rate ?? 0);
  const state = known.every(isUsual) ? 'usual' : known.every(isLower) ? 'lowered' : 'mixed';
  return throttlesJson(state, known, usual);
}

/** Lowers the throttle of every method to a share of the deployed one, within seconds. */
export const lowerThrottles = /* @__PURE__ */ operatorVerb(
  {
    action: 'throttle.lower',
    needs: 'platform',
    subject: ({ percent }: { readonly percent: number }) => `${percent} %`,
  },
  async (_context: DeploymentContext, { percent }: { readonly percent: number }) => {
    requireStage();
    const usual = await deployedThrottles();
    const lowered = usual.map((one) => loweredThrottle(one, percent));
    await setThrottles(lowered);
    return throttlesJson('lowered', lowered, usual);
  },
);

/** Restores the deployed throttle of every method. */
export const restoreThrottles = /* @__PURE__ */ operatorVerb(
  { action: 'throttle.restore', needs: 'platform' },
  async (_context: DeploymentContext) => {
    requireStage();
    const usual = await deployedThrottles();
    await setThrottles(usual);
    return throttlesJson('usual', usual, usual);
  },
);

/**
 * API Gateway accepts fractions for calls per second, but whole numbers for the burst; a burst of 0 would let nothing
 * through.
 */
const loweredThrottle = ({ method, rate, burst }: MethodThrottle, percent: number): MethodThrottle => ({
  method,
  rate: Math.round(rate * percent) / 100,
  burst: Math.max(1, Math.round((burst * percent) / 100)),
});

function requireStage(): void {
  if (!hasConfig('REST_API_ID')) throw new ServiceError('validation_error', { text: onlyDeployed });
}
