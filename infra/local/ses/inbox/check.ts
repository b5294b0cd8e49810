/** Thunderbird is left out: the data says nothing of it for some features, which the library takes for an error. */
const clients = ['gmail.*', 'apple-mail.*', 'outlook.*', 'yahoo.*', 'samsung-email.*'] as const;

export interface MissingFeature {
  readonly feature: string;
  /** Those that lack it. */
  readonly clients: readonly string[];
}

/** What some mail clients do not show, by the data of caniemail.com, which are loaded by the first who opens a message. */
export async function missingFeatures(html: string): Promise<MissingFeature[]> {
  const { caniemail } = await import('caniemail');
  const lacking = new Map<string, string[]>();
  const { issues } = caniemail({ clients: [...clients], html });
  for (const [client, errors] of issues.errors) {
    for (const { title } of errors) lacking.set(title, [...(lacking.get(title) ?? []), client]);
  }
  return [...lacking].map(([feature, names]) => ({ feature, clients: [...new Set(names)] }));
}
