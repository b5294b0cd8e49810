/** The methods that lead to what takes this one: whatever answers GET answers HEAD (RFC 9110 section 9.3.2). */
export function methodsOf({ method }: { readonly method: string }): readonly string[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method];
}
