import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An account of a user pool. */
interface PoolAccount {
  readonly username: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Cognito's status of an account whose temporary password was never used. */
  status: 'FORCE_CHANGE_PASSWORD' | 'CONFIRMED';
  mails: number;
}

export interface TestPool {
  readonly endpoint: string;
  /** By address. */
  readonly accounts: Map<string, PoolAccount>;
  /** The error of every later call. */
  fails: string | null;
  stop(): Promise<void>;
}

interface CreateUser {
  readonly Username: string;
  readonly UserAttributes?: readonly { readonly Name: string; readonly Value: string }[];
  readonly MessageAction?: 'RESEND';
}

/** Two operations of Cognito's user pools, after the API reference, as there is no local Cognito. */
export async function startUserPool(): Promise<TestPool> {
  const pool: Pick<TestPool, 'accounts' | 'fails'> = { accounts: new Map(), fails: null };
  const operations: Record<string, (input: CreateUser) => string | null> = {
    AdminCreateUser: ({ Username, UserAttributes = [], MessageAction }) => {
      const known = pool.accounts.get(Username);
      if (known && MessageAction !== 'RESEND') return 'UsernameExistsException';
      if (known?.status === 'CONFIRMED') return 'UnsupportedUserStateException';
      const attributes = Object.fromEntries(UserAttributes.map(({ Name, Value }) => [Name, Value]));
      const fresh = { username: `sub-${pool.accounts.size}`, attributes, status: 'FORCE_CHANGE_PASSWORD' as const };
      pool.accounts.set(Username, { ...(known ?? fresh), mails: (known?.mails ?? 0) + 1 });
      return null;
    },
    AdminDeleteUser: ({ Username }) => {
      const found = [...pool.accounts].find(([email, { username }]) => [email, username].includes(Username));
      if (!found) return 'UserNotFoundException';
      pool.accounts.delete(found[0]);
      return null;
    },
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const operation = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
    const error = pool.fails ?? operations[operation]?.(JSON.parse(Buffer.concat(chunks).toString())) ?? null;
    response.writeHead(error ? 400 : 200, { 'content-type': 'application/x-amz-json-1.1' });
    response.end(JSON.stringify(error ? { __type: error, message: error } : {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(pool, {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}
