import type { Text } from '../language/text.ts';

/** The methods that lead to what takes this one: whatever answers GET answers HEAD (RFC 9110 section 9.3.2). */
export function methodsOf({ method }: { readonly method: string }): readonly string[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method];
}

/** What a path says to a method that it does not take. */
export function methodRefusal(method: string, allowed: string): Text {
  return {
    en: `This path does not take ${method}; it takes ${allowed}.`,
    fr: `Ce chemin n’accepte pas ${method} ; il accepte ${allowed}.`,
  };
}
