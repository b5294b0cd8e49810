/** The two ends of a thread are alike: a `MessagePort`, or the `Worker` itself. */
interface Port {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (message: ThreadMessage | null) => void): unknown;
}

interface ThreadMessage {
  readonly call?: number;
  readonly name?: string;
  readonly value?: unknown;
  readonly answer?: number;
  readonly error?: string;
}

/** What an end answers, by name; arguments and answers are plain data. */
export type Answers = Readonly<Record<string, (value: never) => unknown>>;

/** Calls between a thread and the process, in both directions. Other messages on the port are left alone. */
export function threadCalls(port: Port, answers: Answers = {}): (name: string, value?: unknown) => Promise<unknown> {
  const open = new Map<number, PromiseWithResolvers<unknown>>();
  let last = 0;
  port.on('message', async (message) => {
    if (message?.answer !== undefined) {
      const asked = open.get(message.answer);
      open.delete(message.answer);
      if (message.error === undefined) asked?.resolve(message.value);
      else asked?.reject(new Error(message.error));
    } else if (message?.call !== undefined) {
      const { call, name = '', value } = message;
      try {
        const own = answers[name] as ((value: unknown) => unknown) | undefined;
        if (!own) throw new Error(`This end answers no ${name}.`);
        port.postMessage({ answer: call, value: await own(value) });
      } catch (error) {
        port.postMessage({ answer: call, error: (error as Error).message });
      }
    }
  });
  return (name, value) => {
    last += 1;
    const asked = Promise.withResolvers<unknown>();
    open.set(last, asked);
    port.postMessage({ call: last, name, value });
    return asked.promise;
  };
}
