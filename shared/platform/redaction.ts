/** An email address, also inside a URL; its domain needs no dot. Paths of packages (`/@aws-sdk/`) are excluded. */
const address = /(?:"[^"\n]{0,128}"|[^\s"'`<>()[\]{},:;/\\|=]{1,128})(?:@|%40)[\p{L}\p{N}][\p{L}\p{N}.-]*/gu;
/** API keys and webhook secrets by their prefixes. */
const secret = /\b(?:mr_live_|whsec_)[\w+/=-]+/g;
/**
 * The token of temporary credentials: AWS quotes the headers of a request whose signature it refuses, and URLs may
 * contain it.
 */
const sessionToken = /(x-amz-security-token["']?\s*[:=]\s*["']?)[\w+/=%.-]+/gi;
/** An AWS signature in headers and URLs: whoever has it can repeat the request for some minutes, or open the URL. */
const signature = /(Signature["']?\s*[:=]\s*["']?)[\da-f]{40,}/gi;

/** Removes credentials and signatures that would allow requests to AWS. */
export function withoutCredentials(text: string): string {
  const withoutTokens = text.includes('ecurity-') ? text.replace(sessionToken, '$1[secret]') : text;
  return withoutTokens.includes('ignature') ? withoutTokens.replace(signature, '$1[secret]') : withoutTokens;
}

/** A text that may be logged: error messages of libraries can contain addresses. */
export function redacted(text: string): string {
  const hasAddress = text.includes('@') || text.includes('%40');
  const closed = withoutCredentials(text);
  return (hasAddress ? closed.replace(address, '[address]') : closed).replace(secret, '[secret]');
}
