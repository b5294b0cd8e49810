import { AsyncLocalStorage } from 'node:async_hooks';

/** What a log line is found by: ids of the request, the message, the workspace. Never an address. */
export type LogFields = Readonly<Record<string, string | number | undefined>>;

const storage = new AsyncLocalStorage<Record<string, string | number | undefined>>();

/** Every line that `work` logs carries these fields, and no line of what runs beside it in the same process. */
export function withLogFields<Result>(fields: LogFields, work: () => Result): Result {
  return storage.run({ ...storage.getStore(), ...fields }, work);
}

/** Adds what has been learnt since to the lines of the call under way; outside of one it does nothing. */
export function addLogFields(fields: LogFields): void {
  Object.assign(storage.getStore() ?? {}, fields);
}

export const currentLogFields = (): LogFields => storage.getStore() ?? {};
