export const consentWays = ['api', 'form', 'import'] as const;

/** Who says that a person consents, before the person has said so themselves. */
export interface ConsentClaim {
  readonly how: (typeof consentWays)[number];
  /** `api`: the identifier of the key; `import`: the name of the file. */
  readonly by?: string | undefined;
  /** `form`: the network address that it was sent from, and the version of what it said. */
  readonly source?: string | undefined;
  readonly form?: string | undefined;
}

/** What shows that somebody has consented, and to what. Times are ISO 8601 UTC. */
export interface ConsentProof extends ConsentClaim {
  readonly at: string;
  /** When they were asked to confirm, and the network address that they confirmed from; absent when nobody asked. */
  readonly requestedAt?: string | undefined;
  readonly confirmedFrom?: string | undefined;
}

/** Whoever comes and goes more often keeps the first proof and the latest ones. */
const most = 5;

/** Adds a proof to those of earlier times, which a return does not take away. */
export function withProof<Proven extends { readonly consents?: readonly ConsentProof[] | undefined }>(
  subscriber: Proven,
  proof: ConsentProof,
): Proven {
  const proofs = [...(subscriber.consents ?? []), proof];
  const consents = proofs.length > most ? [...proofs.slice(0, 1), ...proofs.slice(1 - most)] : proofs;
  return { ...subscriber, consents };
}
