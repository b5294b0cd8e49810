/** This process's environment for a service of its own: nothing that points at the engines of another one. */
export function ownEnvironment(extra: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^AWS_|_QUEUE_(URL|ARN)$|_DEAD_LETTERS_URL$|^PUBLIC_URL$|^SERVICE_SECRET|^OIDC_/.test(name),
  );
  return { ...Object.fromEntries(kept), NODE_OPTIONS: '', ...extra };
}
