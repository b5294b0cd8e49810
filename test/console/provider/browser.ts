/** Somebody's browser: keeps each origin's cookies, and goes where it is sent only when it is told to. */
export class Browser {
  readonly #jars = new Map<string, Map<string, string>>();

  async ask(url: string, init: RequestInit = {}): Promise<Answer> {
    const { origin } = new URL(url);
    const jar = this.#jars.get(origin) ?? new Map<string, string>();
    this.#jars.set(origin, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...(init.headers as Record<string, string>), ...(cookie && { cookie }) };
    const answer = await fetch(url, { ...init, redirect: 'manual', headers });
    for (const line of answer.headers.getSetCookie()) keep(jar, line);
    const location = answer.headers.get('location');
    return {
      url,
      status: answer.status,
      headers: answer.headers,
      text: await answer.text(),
      location: location === null ? null : new URL(location, url).href,
    };
  }

  /** Follows what it is sent to until an address begins like this, which it is not asked for yet. */
  async followTo(beginning: string, url: string): Promise<string> {
    let next: string | null = url;
    for (let steps = 0; next !== null && steps < 10; steps += 1) {
      if (next.startsWith(beginning)) return next;
      const answer = await this.ask(next);
      if (answer.location === null) throw new Error(`${next} answers ${answer.status}: ${answer.text.slice(0, 300)}`);
      next = answer.location;
    }
    throw new Error(`It never came to ${beginning}.`);
  }

  cookiesOf(origin: string): ReadonlyMap<string, string> {
    return this.#jars.get(origin) ?? new Map();
  }

  setCookie(origin: string, name: string, value: string): void {
    const jar = this.#jars.get(origin) ?? new Map<string, string>();
    this.#jars.set(origin, jar.set(name, value));
  }
}

interface Answer {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Where it is sent, as an absolute address. */
  readonly location: string | null;
}

function keep(jar: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
  const at = pair.indexOf('=');
  const isOver = attributes.some((one) => /^max-age=0$/i.test(one) || /^expires=Thu, 01 Jan 1970/i.test(one));
  if (isOver) jar.delete(pair.slice(0, at));
  else jar.set(pair.slice(0, at), pair.slice(at + 1));
}
