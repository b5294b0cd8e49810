import { CommanderError } from 'commander';
import { ServiceError, ValidationError } from '../../shared/contract/errors.ts';
import { withoutCredentials } from '../../shared/platform/redaction.ts';

export const exitCodes = { failed: 1, usage: 2 } as const;

/** The exit code of what was thrown, and the one line that says why; commander has said its own already. */
export function failureOf(error: unknown): { readonly exitCode: number; readonly line: string | null } {
  if (error instanceof CommanderError) {
    return { exitCode: error.exitCode === 0 ? 0 : exitCodes.usage, line: null };
  }
  return {
    exitCode: exitCodes.failed,
    line: `error: ${withoutCredentials(sentenceOf(error)).replace(/\s+/g, ' ').trim()}`,
  };
}

function sentenceOf(error: unknown): string {
  if (error instanceof ValidationError) return error.issues.map(({ path, text }) => `${path} ${text.en}`).join('; ');
  if (error instanceof ServiceError) return error.text.en;
  if (!(error instanceof Error)) return String(error);
  // A refused connection to several addresses is an AggregateError, whose own message is empty.
  const inner = error instanceof AggregateError ? error.errors[0] : undefined;
  const message = error.message || (inner instanceof Error ? inner.message : '') || error.name;
  const isPlain = error.name === 'Error' || error.name === 'AggregateError';
  return isPlain ? message : `${error.name}: ${message}`;
}
