/** This process's environment for another service, without variables that point at the engines of one. */
export function ownEnvironment(extra: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) =>
      !/^AWS_|QUEUE_(URL|ARN)_PREFIX$|^(DEAD_LETTER|WATCHED)_QUEUES$|^PUBLIC_URL$|^SERVICE_SECRET|^OIDC_/.test(name),
  );
  return { ...Object.fromEntries(kept), NODE_OPTIONS: '', ...extra };
}
