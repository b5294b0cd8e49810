import { caniemail } from 'caniemail';

/** Thunderbird is left out: the data says nothing of it for some features, which the library takes for an error. */
const clients = ['gmail.*', 'apple-mail.*', 'outlook.*', 'yahoo.*', 'samsung-email.*'] as const;

/** What some mail clients do not show, by the data of caniemail.com: each feature with the clients that lack it. */
export function missingFeatures(html: string): { readonly feature: string; readonly clients: readonly string[] }[] {
  const lacking = new Map<string, string[]>();
  const { issues } = caniemail({ clients: [...clients], html });
  for (const [client, errors] of issues.errors) {
    for (const { title } of errors) lacking.set(title, [...(lacking.get(title) ?? []), client]);
  }
  return [...lacking].map(([feature, names]) => ({ feature, clients: [...new Set(names)] }));
}
