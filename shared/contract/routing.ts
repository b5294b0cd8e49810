import type { Text } from '../language/text.ts';

/**
 * The parameters of a path under a template such as `/api/v1/emails/{id}`, still percent-encoded; null if it does not
 * match. `{rest+}` at the end takes all remaining segments, like the greedy variables of API Gateway.
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
 * The targets at a path, for any method. Like API Gateway, it prefers literal segments to parameters: `/emails/batch` does
 * not match `/emails/{id}` (Developer Guide, "Set up a method").
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

/** For a target that takes every method. */
export const anyMethod = 'ANY';

const allMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** The methods that a target accepts: with GET always HEAD (RFC 9110 section 9.3.2). */
export function methodsOf({ method }: { readonly method: string }): readonly string[] {
  if (method === anyMethod) return allMethods;
  return method === 'GET' ? ['GET', 'HEAD'] : [method];
}

/** The message of a 405. */
export function methodRefusal(method: string, allowed: string): Text {
  return {
    en: `This path does not take ${method}; it takes ${allowed}.`,
    fr: `Ce chemin n’accepte pas ${method} ; il accepte ${allowed}.`,
  };
}
