import type { Standing } from '../../domain/job/importColumn.ts';

/** Which service wrote a file, by its header. */
export type Origin = 'own' | 'mailchimp' | 'listmonk' | 'resend';

/** The words of a header in which case, spaces, `-` and `_` do not matter. */
export const wordOf = (title: string): string => title.toLowerCase().replace(/[\s_-]/g, '');

export function originOf(titles: readonly string[]): Origin {
  const words = new Set(titles.map(wordOf));
  const hasAll = (...wanted: string[]) => wanted.every((word) => words.has(word));
  if (hasAll('emailaddress', 'leid') || hasAll('emailaddress', 'euid')) return 'mailchimp';
  if (hasAll('uuid', 'email', 'attributes', 'status')) return 'listmonk';
  return hasAll('email', 'unsubscribed') ? 'resend' : 'own';
}

/** What a service tells about its own doing: nobody's name, tag or field. */
const technical: Readonly<Record<Origin, readonly string[]>> = {
  own: [],
  mailchimp: [
    ...[
      'memberrating',
      'optintime',
      'optinip',
      'confirmtime',
      'confirmip',
      'latitude',
      'longitude',
      'gmtoff',
      'dstoff',
    ],
    ...['timezone', 'cc', 'region', 'leid', 'euid', 'notes', 'unsubcampaigntitle', 'unsubcampaignid'],
    ...['unsubreason', 'unsubreasonother', 'cleancampaigntitle', 'cleancampaignid'],
  ],
  listmonk: ['uuid'],
  resend: ['id', 'segments', 'topics'],
};

export const isTechnical = (origin: Origin, title: string): boolean => technical[origin].includes(wordOf(title));

/** Mailchimp exports a file for each status, which has this column and the others have not. */
const everybody: Readonly<Record<string, Standing>> = {
  unsubtime: 'unsubscribe',
  cleantime: 'bounce',
  lastchanged: 'subscribed',
};

/** What a column says of everybody in the file by being there. */
export const standingOfAll = (title: string): Standing | undefined => everybody[wordOf(title)];

/** A title as the name of a field. */
export function fieldName(title: string): string {
  const plain = title.normalize('NFKD').replace(/\p{M}/gu, '');
  return plain
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 64);
}
