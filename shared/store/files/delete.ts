import { ask, requestOf, textOf } from './bucket.ts';

/** Deletes a file; one that is not there is no matter. */
export async function deleteFile(key: string): Promise<void> {
  await textOf(await ask(await requestOf('DELETE', key), null, [204, 404]));
}
