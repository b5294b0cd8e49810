import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { queues } from '../../infra/resources.ts';
import { fallbackRoute } from '../../shared/contract/endpoints.ts';
import { routeGroups } from '../../shared/contract/groups.ts';
import type { Route } from '../../shared/contract/route.ts';
import { routes } from '../../shared/contract/routes.ts';
import { languageTags } from '../../shared/language/languages.ts';

const root = join(import.meta.dirname, '..', '..');

describe('the list of routes', () => {
  it.each([
    ['id', (route: Route) => route.id],
    ['method and path', (route: Route) => `${route.method} ${route.path}`],
  ])('names each %s once', (_name, identify) => {
    const values = routes.map(identify);
    expect(values.filter((value, index) => values.indexOf(value) !== index)).toEqual([]);
  });

  it('names every file of functions/api, and no other', () => {
    const files = globSync('functions/api/**/*.ts', { cwd: root }).sort();
    const started = new Set([...routes, fallbackRoute].map((route) => route.function.entry));
    expect([...started].sort()).toEqual(files);
  });
});

describe.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', (_name, route) => {
  it('has a function file that exports a handler', async () => {
    expect(existsSync(join(root, route.function.entry))).toBe(true);
    const { handler } = (await import(join(root, route.function.entry))) as { handler: unknown };
    expect(handler).toEqual(expect.any(Function));
  });

  it('has paths below the version, and declares their parameters', () => {
    expect(route.path).toMatch(/^\/api\/v1(?:\/[a-z][\w.-]*|\/\{[a-zA-Z]+\})*$/);
    const placeholders = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(Object.keys(route.request.path?.shape ?? {})).toEqual(placeholders);
  });

  it('is described in every language', () => {
    const texts = [
      routeGroups[route.group].name,
      routeGroups[route.group].description,
      route.summary,
      route.description,
      ...route.responses.map(({ description }) => description),
      ...route.responses.flatMap(({ headers }) => Object.values(headers ?? {})),
    ];
    for (const words of texts) {
      for (const language of languageTags) expect(words[language].trim()).not.toBe('');
    }
    expect(new Set(Object.values(route.description)).size).toBe(languageTags.length);
  });

  it('declares its responses, and each of its errors once', () => {
    expect(route.responses.filter(({ status }) => status >= 200 && status < 300)).toHaveLength(route.responses.length);
    expect(route.responses.length).toBeGreaterThan(0);
    expect(new Set<string>(route.errors).size).toBe(route.errors.length);
    if (route.path.includes('{')) expect(route.errors).toContain('not_found');
  });

  it('has a body only where HTTP defines one, with an example', () => {
    if (route.method === 'GET' || route.method === 'DELETE') expect(route.request.body).toBeUndefined();
    else if (route.request.body) expect(route.request.example).toBeDefined();
  });

  it('needs only what infra/resources.ts has', () => {
    const needed = route.needs.queues ?? [];
    expect(needed.filter((name) => !Object.hasOwn(queues, name))).toEqual([]);
    expect(route.function.timeoutSeconds ?? 0).toBeLessThanOrEqual(29);
  });
});
