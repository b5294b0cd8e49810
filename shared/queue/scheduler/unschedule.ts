import { config } from '../../platform/config.ts';
import { scheduler } from './client.ts';

/** Deletes a schedule; one that has fired or never was is no error. */
export async function unschedule(name: string): Promise<void> {
  const query = { clientToken: crypto.randomUUID(), groupName: config('SCHEDULE_GROUP') };
  try {
    await scheduler.call({ method: 'DELETE', name, query });
  } catch (error) {
    if ((error as Error).name !== 'ResourceNotFoundException') throw error;
  }
}
