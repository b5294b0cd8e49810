import { getAutomation } from '../../../../services/automations/readAutomations.ts';
import type { ConsoleCall } from '../../../call.ts';

export type AutomationDetail = Awaited<ReturnType<typeof getAutomation>>;

export const automationPath = (id: string): string => `/automations/${encodeURIComponent(id)}`;

/** The automation in the address, in its newest version or in the given one. */
export const readAutomation = ({ context, parameters }: ConsoleCall, version?: number): Promise<AutomationDetail> =>
  getAutomation(context, { id: parameters.id ?? '', version });
