import type { FunctionDefinition, Needs } from '../shared/contract/route.ts';
import type { Settings } from './settings.ts';

export type Budget = keyof Settings['throttles'];

/** What API Gateway and Lambda must know of a route or a page. */
export interface Endpoint {
  /** A route looks a key up and counts the call before it does anything else; a page does neither. */
  readonly kind: 'route' | 'page';
  /** Whose calls have a budget of their own (`throttles` of the settings): with a key, of people, and all others. */
  readonly budget: Budget;
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly needs: Needs;
  readonly function: FunctionDefinition;
  /** The endpoint whose function answers it, where it has none of its own. */
  readonly servedBy?: string;
}
