/** Where the command works: what the functions of that deployment find in their environment. */
export interface Connection {
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** The clients read these when they make their first call, so this comes before it. */
export function enter({ environment }: Connection): void {
  Object.assign(process.env, environment);
}
