/** A request that got no answer, and whether anything of it went out. The SDK tries again what it knows by name or code. */
export class UnansweredRequest extends Error {
  override readonly name: string;
  readonly code: string | undefined;
  /** True when it is certain that not one byte of the request left this process. */
  readonly neverSent: boolean;

  constructor(reason: unknown, neverSent: boolean) {
    const { name, code, message } = reason as { name?: string; code?: string; message?: string };
    super(message ?? '', { cause: reason });
    this.name = name ?? 'Error';
    this.code = code;
    this.neverSent = neverSent;
  }
}

export const wasNeverSent = (error: unknown): boolean => error instanceof UnansweredRequest && error.neverSent;
