/**
 * Relays that fetch images for the reader, by the user agents they send: Gmail ("… (via ggpht.com GoogleImageProxy)"),
 * Yahoo and AOL ("YahooMailProxy; https://help.yahoo.com/…"), and others that name themselves an image proxy.
 */
const imageProxies = /ggpht\.com|YahooCacheSystem|(Image|Mail)[ _-]?Proxy/i;

/** Apple Mail Privacy Protection fetches every image with this and nothing more: no platform, no version. */
const applePrivacy = /^Mozilla\/5\.0$/;

/**
 * True when an open came through a relay that hides the reader (Apple Mail Privacy Protection, Gmail's and Yahoo's
 * image proxies and their like): the message was fetched, which need not mean that somebody read it there and then.
 */
export function isProxiedOpen(userAgent: string): boolean {
  const text = userAgent.trim();
  return applePrivacy.test(text) || imageProxies.test(text);
}
