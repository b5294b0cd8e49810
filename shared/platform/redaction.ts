/** An address, also as it stands in a URL; its domain needs no dot. What leads to a package (`/@aws-sdk/`) is none. */
const address = /(?:"[^"\n]{0,128}"|[^\s"'`<>()[\]{},:;/\\|=]{1,128})(?:@|%40)[\p{L}\p{N}][\p{L}\p{N}.-]*/gu;
/** API keys and webhook secrets by their prefixes. */
const secret = /\b(?:mr_live_|whsec_)[\w+/=-]+/g;
/** The token of temporary credentials: AWS quotes the headers of a request whose signature it refuses, and URLs may hold it. */
const sessionToken = /(x-amz-security-token["']?\s*[:=]\s*["']?)[\w+/=%.-]+/gi;
/** A signature of AWS's, as headers and addresses have it: what it signs can be sent with it for minutes, or opened for longer. */
const signature = /(Signature["']?\s*[:=]\s*["']?)[\da-f]{40,}/gi;

/** A text without what lets somebody else ask AWS for something. */
export function withoutCredentials(text: string): string {
  const withoutTokens = text.includes('ecurity-') ? text.replace(sessionToken, '$1[secret]') : text;
  return withoutTokens.includes('ignature') ? withoutTokens.replace(signature, '$1[secret]') : withoutTokens;
}

/** A text that may be logged: other people's error messages name addresses, ours must not. */
export function redacted(text: string): string {
  const hasAddress = text.includes('@') || text.includes('%40');
  const closed = withoutCredentials(text);
  return (hasAddress ? closed.replace(address, '[address]') : closed).replace(secret, '[secret]');
}
