import { maxMessageBytes } from '../../../domain/message/messageSize.ts';

/** The turn of one email at the room that all of a call share. Each turn is ended, by `leave` at the latest. */
export interface Place {
  /** Takes encoded bytes when those before it in the list have had their turn; false when so much is not left. */
  take(bytes: number): Promise<boolean>;
  /** Ends a turn that takes nothing; nothing happens to one that is over. */
  leave(): void;
}

/**
 * What fits into one message is what a call holds: so much for the files of all emails of a batch together. Places are
 * had in the order in which they were asked for, so that the same batch, asked for again, is decided the same way.
 */
export class Room {
  #left = maxMessageBytes;
  #before: Promise<void> = Promise.resolve();

  place(): Place {
    const before = this.#before;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#before = promise;
    return {
      take: async (bytes) => {
        await before;
        const fits = bytes <= this.#left;
        if (fits) this.#left -= bytes;
        resolve();
        return fits;
      },
      leave: () => void before.then(resolve),
    };
  }
}
