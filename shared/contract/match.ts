/**
 * Path parameters of `path` under a template such as `/api/v1/emails/{id}`, as they stand in the URL; null if it differs.
 * One that ends in `{rest+}` takes all that follows, as API Gateway's greedy variables do.
 */
export function matchPath(template: string, path: string): Record<string, string> | null {
  const wanted = template.replace(/\/$/, '').split('/');
  const given = path.replace(/\/$/, '').split('/');
  const isGreedy = template.endsWith('+}');
  if (isGreedy && given.length > wanted.length) given.push(given.splice(wanted.length - 1).join('/'));
  if (wanted.length !== given.length) return null;
  const parameters: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? '';
    if (part.startsWith('{')) {
      if (value === '') return null;
      parameters[part.replace(/^\{|\+?\}$/g, '')] = value;
    } else if (part !== value) return null;
  }
  return parameters;
}

/**
 * What lies at a path: words before parameters, whatever the method, as API Gateway chooses (Developer Guide, "Set up a
 * method": `/emails/batch` is none of `/emails/{id}`).
 */
export function targetsAt<Target extends { readonly path: string }>(
  targets: readonly Target[],
  path: string,
): { readonly target: Target; readonly parameters: Record<string, string> }[] {
  const found = targets.flatMap((target) => {
    const parameters = matchPath(target.path, path);
    return parameters ? [{ target, parameters }] : [];
  });
  const fewest = Math.min(...found.map(({ parameters }) => Object.keys(parameters).length));
  return found.filter(({ parameters }) => Object.keys(parameters).length === fewest);
}
