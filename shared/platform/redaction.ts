/** An address, also as it stands in a URL; its domain needs no dot. What leads to a package (`/@aws-sdk/`) is none. */
const address = /(?:"[^"\n]{0,128}"|[^\s"'`<>()[\]{},:;/\\|=]{1,128})(?:@|%40)[\p{L}\p{N}][\p{L}\p{N}.-]*/gu;
/** API keys and webhook secrets by their prefixes. */
const secret = /\b(?:mr_live_|whsec_)[\w+/=-]+/g;

/** A text that may be logged: other people's error messages name addresses, ours must not. */
export function redacted(text: string): string {
  const hasAddress = text.includes('@') || text.includes('%40');
  return (hasAddress ? text.replace(address, '[address]') : text).replace(secret, '[secret]');
}
