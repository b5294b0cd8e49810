/** Hosts of the networks, with their subdomains. */
const networks: Readonly<Record<string, string>> = {
  'facebook.com': 'Facebook',
  'instagram.com': 'Instagram',
  'threads.net': 'Threads',
  'threads.com': 'Threads',
  'linkedin.com': 'LinkedIn',
  'x.com': 'X',
  'twitter.com': 'X',
  'youtube.com': 'YouTube',
  'tiktok.com': 'TikTok',
  'pinterest.com': 'Pinterest',
  'bsky.app': 'Bluesky',
  'mastodon.social': 'Mastodon',
  'github.com': 'GitHub',
  'whatsapp.com': 'WhatsApp',
  'wa.me': 'WhatsApp',
  't.me': 'Telegram',
  'discord.gg': 'Discord',
  'discord.com': 'Discord',
  'reddit.com': 'Reddit',
  'vimeo.com': 'Vimeo',
};

/** The name of the network that an address belongs to, else its host: "Instagram", "example.com". */
export function networkName(address: string): string {
  const host = (URL.parse(address)?.hostname ?? address).replace(/^www\./, '');
  const known = Object.keys(networks).find((one) => host === one || host.endsWith(`.${one}`));
  return known === undefined ? host : (networks[known] ?? host);
}
